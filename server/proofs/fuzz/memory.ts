export type MemoryVerdict = {
  readonly before: number
  readonly after: number
  readonly grown: number
}

const MEBIBYTE = 1024 * 1024

/**
 * Compares the least that was resident after the warm-up with the least at the end: a garbage collector lets memory rise
 * and fall, so only what it does not give back at its lowest counts.
 */
export function memoryVerdict(samples: readonly number[]): MemoryVerdict {
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to))
  const [before, after] = [Math.min(...part(0.25, 0.5)), Math.min(...part(0.75, 1))]
  return { before: before / MEBIBYTE, after: after / MEBIBYTE, grown: (after - before) / MEBIBYTE }
}
