export type Pattern = {
  /** Of the pattern as it is compared, its signs counted. */
  readonly length: number
  /** How many texts it looks for. */
  readonly parts: number
  matches(path: string): boolean
}

/** `*` stands for any text, and `$` at the end for the end. Without a regular expression, which thirty stars would stop. */
export function compilePattern(written: string): Pattern {
  const pattern = normalOctets(written)
  const isAnchored = pattern.endsWith('$')
  const [head = '', ...rest] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  const last = isAnchored ? rest.pop() : undefined
  return {
    length: pattern.length,
    parts: rest.length + 1,
    matches(path) {
      if (!path.startsWith(head)) return false
      if (isAnchored && last === undefined) return path.length === head.length
      let at = head.length
      for (const part of rest) {
        const found = part === '' ? at : path.indexOf(part, at)
        if (found === -1) return false
        at = found + part.length
      }
      return last === undefined || (path.length - last.length >= at && path.endsWith(last))
    },
  }
}

/** Path and query, with a bare `?` at the end, which `URL.search` drops. */
export function normalPath(address: string): string {
  const url = URL.parse(address)
  if (url === null) return '/'
  url.hash = ''
  url.username = ''
  url.password = ''
  return normalOctets(url.href.slice(url.origin.length)) || '/'
}

const normalOctets = (text: string): string =>
  text
    .toWellFormed()
    .replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
    .replace(/[^\p{ASCII}]+/gu, encodeURIComponent)
