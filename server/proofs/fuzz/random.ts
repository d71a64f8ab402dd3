/** Chance that can be repeated: the same seed gives the same choices. */
export type Random = {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number from 0, less than `below`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<Item>(list: readonly Item[]): Item
  /** By weight: one of the names. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name
}

/** Each shot has a stream of its own, so that it does not depend on what the ones before it drew. */
export function randomOf(seed: number, stream: number): Random {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)) >>> 0
  // mulberry32: small, and good enough to choose from lists.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick(list) {
      const found = list[int(list.length)]
      if (found === undefined) throw new Error('Nothing can be picked from an empty list.')
      return found
    },
    weighted(weights) {
      const entries = Object.entries<number>(weights)
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return nameOf(name)
      }
      return nameOf(entries[0]?.[0] ?? '')
    },
  }
}

// The entries of a record have its names.
const nameOf = <Name extends string>(name: string): Name => name as Name
