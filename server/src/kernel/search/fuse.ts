// Two rankings of the same chunks become one: what either has near its top comes near the top, and what both have comes before it.
// Only places count, because a rank by words and a similarity cannot be compared.

/** How slowly a place loses its worth. Larger values trust the first places of one ranking less. */
const SLOWNESS = 60

/** Returns the keys of all rankings, best first. Of equal ones, what the first ranking has, or has better, comes first. */
export function fuseRankings<Key>(...rankings: readonly (readonly Key[])[]): Key[] {
  const worth = new Map<Key, number>()
  for (const ranking of rankings) {
    for (const [place, key] of ranking.entries()) worth.set(key, (worth.get(key) ?? 0) + 1 / (SLOWNESS + place + 1))
  }
  return [...worth].toSorted(([, one], [, other]) => other - one).map(([key]) => key)
}
