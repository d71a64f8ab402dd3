// What a bench says: one line of JSON on its standard output, and nothing else.
import type { Ratio } from './rounds.ts'

/** One ratio of a bench. Without a bound it informs; with one it is a promise, kept or not. */
export type Result = Ratio & {
  readonly what: string
  readonly bound?: string
  readonly met?: boolean
  readonly figures?: Readonly<Record<string, number | string>>
}

export type Report = {
  readonly bench: string
  readonly promise: string
  readonly results: readonly Result[]
  /** Why the bench, or a part of it, did not run here. */
  readonly skipped?: string
}

export type Bound = { readonly atLeast: number } | { readonly atMost: number }

export function judged(
  what: string,
  { ratio, quartiles }: Ratio,
  bound: Bound,
  figures: Result['figures'] = {},
): Result {
  const [words, met] =
    'atLeast' in bound ? [`≥ ${bound.atLeast}`, ratio >= bound.atLeast] : [`≤ ${bound.atMost}`, ratio <= bound.atMost]
  return { what, ratio, quartiles, bound: words, met, figures }
}

export function say(report: Report): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
