// A generator that gives the same numbers in every run.

export type Random = {
  next(): number
  pick<Item>(items: readonly Item[]): Item | undefined
  /** Some of the items, in a random order. */
  draw<Item>(items: readonly Item[], count: number): Item[]
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(next() * items.length)]
  return {
    next,
    pick,
    draw(items, count) {
      const left = [...items]
      return Array.from({ length: Math.min(count, left.length) }, () => {
        const [one] = left.splice(Math.floor(next() * left.length), 1)
        return one
      }).filter((one) => one !== undefined)
    },
  }
}
