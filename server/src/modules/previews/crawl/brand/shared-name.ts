const BETWEEN = /\s+[|\-–—»·•:]\s+|\s*\|\s*/
const LONGEST = 80

/** The name of the site: the part of a title that is also the name of its host, or else what most titles begin or end with. */
export function sharedName(titles: readonly string[], host: string): string | null {
  const parts = titles.map((title) => partsOf(title))
  const labels = host.split('.').map(lettersOf)
  const named = parts.flat().find((part) => part.length > 2 && labels.includes(lettersOf(part)))
  if (named !== undefined) return named
  const counts = new Map<string, number>()
  for (const ends of parts.filter(({ length }) => length > 1)) {
    for (const part of new Set([ends.at(-1) ?? '', ends[0] ?? ''])) counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  const [name, count] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? ['', 0]
  return count >= 2 && count > titles.length / 2 ? name : null
}

const partsOf = (title: string): string[] =>
  title
    .slice(0, 300)
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part.length <= LONGEST)

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
