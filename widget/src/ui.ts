import type { Language } from '@tether/contract'
import type { Words } from './words.ts'

/** What every part of the window is given. Words and language are asked for late: a page may change them. */
export type Ui = {
  readonly language: () => Language
  readonly words: () => Words
  /** A value as this language writes it. */
  readonly show: (value: unknown) => string
  /** Says something to whoever listens instead of looking. */
  readonly say: (text: string) => void
  /** Something grew; the transcript follows if it was at its end, or is taken there. */
  readonly grown: (toTheEnd?: boolean) => void
  readonly ask: (prompt: string) => void
  readonly post: Post
}

/** Asks the service; an answer that is a no is thrown as a `Failure`. */
export type Post = (
  path: string,
  body: unknown,
  headers?: Record<string, string>,
  signal?: AbortSignal | null,
) => Promise<Response>
