// Remembers what a pure function returned. A module may hold one of these, because no caller can tell a remembered result from a
// new one. State that callers can observe belongs in an `open…` function, once per service.

/** Remembers one result per object, for as long as the object lives. */
export function memoized<Key extends WeakKey, Value extends NonNullable<unknown>>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = compute(key)
    known.set(key, value)
    return value
  }
}

/**
 * Remembers results by text, up to a total weight of `max`. A result weighs 1 unless `weigh` says otherwise. The least recently used
 * text goes first. Other arguments, such as a budget that a new result is charged to, do not affect the result.
 */
export function memoizedTexts<Value extends NonNullable<unknown>, Others extends readonly unknown[] = []>(
  compute: (text: string, ...others: Others) => Value,
  { max, weigh = () => 1 }: { readonly max: number; readonly weigh?: (text: string, value: Value) => number },
): (text: string, ...others: Others) => Value {
  const known = new Map<string, Value>()
  let weight = 0
  return (text, ...others) => {
    const found = known.get(text)
    if (found !== undefined) {
      // A map keeps the order of insertion, so this makes the text the newest.
      known.delete(text)
      known.set(text, found)
      return found
    }
    const value = compute(text, ...others)
    known.set(text, value)
    weight += weigh(text, value)
    for (const [oldest, old] of known) {
      if (weight <= max || oldest === text) break
      known.delete(oldest)
      weight -= weigh(oldest, old)
    }
    return value
  }
}

/** Makes a value when it is first needed. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
