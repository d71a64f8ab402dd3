// Parses Content-Security-Policy, level 3, as far as it decides whether our script may load and call us.

/**
 * One policy: its directives by name, each with its source expressions as written. All policies of a page must allow a
 * request.
 */
export type ContentPolicy = ReadonlyMap<string, readonly string[]>

/**
 * A header may contain several policies, and a page may send several headers. If a directive occurs twice, the first
 * counts.
 */
export function parsePolicies(header: string): ContentPolicy[] {
  return header.split(',').flatMap((text) => {
    const directives = new Map<string, readonly string[]>()
    for (const part of text.split(';')) {
      const [name = '', ...sources] = part.trim().split(/[\t\n\f\r ]+/)
      const known = name.toLowerCase()
      if (known !== '' && !directives.has(known)) directives.set(known, sources)
    }
    return directives.size === 0 ? [] : [directives]
  })
}
