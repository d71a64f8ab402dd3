const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON object. Null unless the bytes are valid UTF-8 without a byte order mark and no object repeats a name.
 */
export function readJsonObject(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const text = utf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return isObject(value) && !namesTwice(text) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// In valid JSON a string is a member's name if and only if a colon follows it.
const marks = /("(?:[^"\\]|\\.)*")\s*(:?)|[{}[\]]/g

/** `JSON.parse` keeps the last of two members with one name, other parsers the first, so we refuse such text. */
function namesTwice(validJson: string): boolean {
  const open: Set<string>[] = []
  for (const [mark, string, colon] of validJson.matchAll(marks)) {
    if (mark === '{' || mark === '[') open.push(new Set())
    else if (mark === '}' || mark === ']') open.pop()
    else if (string !== undefined && colon === ':') {
      const names = open.at(-1)
      const name = String(JSON.parse(string))
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}
