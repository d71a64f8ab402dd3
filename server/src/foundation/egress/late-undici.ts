type Undici = typeof import('./undici.ts')

let loaded: Undici | undefined

/** A hundred files, which are loaded with the first request that leaves: no start waits for them. */
export async function loadUndici(): Promise<void> {
  loaded ??= await import('./undici.ts')
}

export function undici(): Undici {
  if (loaded === undefined) throw new Error('undici is not loaded yet: a connection is opened after `loadUndici`.')
  return loaded
}
