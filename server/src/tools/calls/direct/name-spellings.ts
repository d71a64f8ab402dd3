/**
 * The names by which some server reads a parameter: without case, with a dot, dash or space as an underscore, and only as far as
 * the first bracket. PHP, Rails and ASP.NET read `api_key` from `API_KEY`, `api.key` or `api_key[]`.
 */
export const spellingsOf = (name: string): readonly string[] => [spelled(name.split('[', 1)[0] ?? ''), spelled(name)]

const spelled = (name: string): string =>
  (name.split('\u0000', 1)[0] ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s.\-[]/g, '_')
    .replaceAll(']', '')

/** Whether some server reads both names as one. */
export const readAlike = (one: string, other: string): boolean => {
  const spellings = spellingsOf(other)
  return spellingsOf(one).some((spelling) => spellings.includes(spelling))
}
