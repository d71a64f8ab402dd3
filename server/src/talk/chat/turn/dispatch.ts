/** How one piece of work ended. No promise rejects, so that none can fail unhandled while we await another. */
export type Ended<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: unknown }

/**
 * Starts work on every item in order, at most `limit` at a time, and returns their promises in that order. Once the
 * signal aborts, nothing more starts.
 */
export function startInOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<Result>,
): Promise<Ended<Result>>[] {
  const ended = items.map(() => Promise.withResolvers<Ended<Result>>())
  let next = 0
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item === undefined) continue
      ended[index]?.resolve(await runToEnd(signal, () => work(item)))
    }
  }
  for (let lanes = Math.min(limit, items.length); lanes > 0; lanes--) void lane()
  return ended.map(({ promise }) => promise)
}

async function runToEnd<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Ended<Result>> {
  try {
    signal.throwIfAborted()
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, error }
  }
}
