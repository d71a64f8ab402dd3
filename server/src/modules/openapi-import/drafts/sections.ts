const LONGEST = 60

/** The part of each path behind what all of them begin with: a document of hundreds of operations is looked through by it. */
export function sectionsOf(paths: readonly string[]): string[] {
  const split = paths.map((path) => path.split('/').filter((part) => part !== ''))
  const depth = sharedDepth(split)
  return split.map((parts) => `/${(parts[depth] ?? parts.at(-1) ?? '').slice(0, LONGEST)}`)
}

/** What stands for a value tells nothing apart. */
const isName = (part: string | undefined): boolean => part !== undefined && !part.startsWith('{')

function sharedDepth(split: readonly (readonly string[])[]): number {
  const first = split[0] ?? []
  let depth = 0
  while (depth < first.length && split.every((parts) => parts[depth] === first[depth] && isName(parts[depth + 1])))
    depth++
  return depth
}
