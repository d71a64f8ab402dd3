// Content-Security-Policy, level 3, as far as it decides whether our script may load and may call us.

/** One policy: its directives by name, each with its source expressions as written. All policies of a page must allow. */
export type Policy = ReadonlyMap<string, readonly string[]>

/** A header may hold several policies, and a page may send several headers. Of a directive that stands twice the first counts. */
export function parsePolicies(header: string): Policy[] {
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
