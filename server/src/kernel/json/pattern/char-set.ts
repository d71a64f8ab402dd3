/** A set of code points: sorted, disjoint ranges, and Unicode properties that the platform's own engine decides. */
export type CharSet = { ranges: readonly Range[]; properties: readonly RegExp[]; negated: boolean }
type Range = readonly [first: number, last: number]

const lastCodePoint = 0x10ffff

export const setOf = (...ranges: Range[]): CharSet => ({ ranges: merge(ranges), properties: [], negated: false })

const asciiSingles = Array.from({ length: 128 }, (_, codePoint) => setOf([codePoint, codePoint]))

/** Letters repeat in a pattern, so the same letter shares one set. */
export const singleton = (codePoint: number): CharSet => asciiSingles[codePoint] ?? setOf([codePoint, codePoint])

export const digitCharacters = setOf([48, 57])
export const wordCharacters = setOf([48, 57], [65, 90], [95, 95], [97, 122])
export const spaces = setOf(
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
)
const lineEnds = setOf([10, 10], [13, 13], [0x2028, 0x2029])
export const complementOf = (set: CharSet): CharSet => ({ ...set, negated: !set.negated })
export const anyButLineEnd = complementOf(lineEnds)

/** The union of the sets. */
export function unionOf(sets: readonly CharSet[]): CharSet {
  const ranges: Range[] = []
  const properties: RegExp[] = []
  for (const set of sets) {
    // Only the plain classes (\D, \W, \S) come negated. They have no properties, so their complement is ranges.
    ranges.push(...(set.negated ? gaps(set.ranges) : set.ranges))
    properties.push(...set.properties)
  }
  return { ranges: merge(ranges), properties, negated: false }
}

function merge(ranges: readonly Range[]): Range[] {
  if (ranges.length < 2) return [...ranges]
  const merged: Range[] = []
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1)
    if (before && first <= before[1] + 1) merged[merged.length - 1] = [before[0], Math.max(before[1], last)]
    else merged.push([first, last])
  }
  return merged
}

function gaps(ranges: readonly Range[]): Range[] {
  const found: Range[] = []
  let next = 0
  for (const [first, last] of ranges) {
    if (first > next) found.push([next, first - 1])
    next = last + 1
  }
  if (next <= lastCodePoint) found.push([next, lastCodePoint])
  return found
}

/** A set ready for testing: a table for ASCII, a search for the rest. */
export type Membership = { ascii: Uint8Array; set: CharSet }

export function membership(set: CharSet): Membership {
  const ascii = new Uint8Array(128)
  for (const [first, last] of set.ranges) if (first < 128) ascii.fill(1, first, Math.min(last + 1, 128))
  if (set.properties.length > 0) {
    for (let codePoint = 0; codePoint < 128; codePoint++) ascii[codePoint] ||= hasProperty(set, codePoint) ? 1 : 0
  }
  return { ascii: set.negated ? ascii.map((inside) => 1 - inside) : ascii, set }
}

export const isIn = (members: Membership, codePoint: number): boolean =>
  codePoint < 128 ? members.ascii[codePoint] === 1 : contains(members.set, codePoint)

const contains = (set: CharSet, codePoint: number): boolean =>
  (inRanges(set.ranges, codePoint) || hasProperty(set, codePoint)) !== set.negated

const hasProperty = (set: CharSet, codePoint: number): boolean =>
  set.properties.length > 0 && set.properties.some((property) => property.test(String.fromCodePoint(codePoint)))

function inRanges(ranges: readonly Range[], codePoint: number): boolean {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const [first, last] = ranges[middle] ?? [0, -1]
    if (codePoint < first) high = middle - 1
    else if (codePoint > last) low = middle + 1
    else return true
  }
  return false
}
