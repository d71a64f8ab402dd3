/** Lets so many through at a time; the others wait in the order in which they came. */
export function openTurnstile(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let inside = 0
  return async (work) => {
    if (inside >= most) await new Promise<void>((enter) => waiting.push(enter))
    else inside++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) inside--
      else next()
    }
  }
}

/** A turnstile for each key. It is kept while work with that key runs or waits. */
export function openTurnstiles<Key>(most: number): <Result>(key: Key, work: () => Promise<Result>) => Promise<Result> {
  const turnstiles = new Map<Key, { readonly pass: ReturnType<typeof openTurnstile>; users: number }>()
  return async (key, work) => {
    const turnstile = turnstiles.get(key) ?? { pass: openTurnstile(most), users: 0 }
    turnstiles.set(key, turnstile)
    turnstile.users++
    try {
      return await turnstile.pass(work)
    } finally {
      if (--turnstile.users === 0) turnstiles.delete(key)
    }
  }
}
