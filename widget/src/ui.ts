import type { Language } from '@tether/contract'
import type { Words } from './words.ts'

/** What every part of the window gets. Words and language are functions, because a page may change them. */
export type Ui = {
  readonly language: () => Language
  readonly words: () => Words
  /** Formats a value in this language. */
  readonly show: (value: unknown) => string
  /** Says something to a screen reader. */
  readonly say: (text: string) => void
  /** Scrolls to the end after something grew, if the visitor was at the end or `toTheEnd` is true. */
  readonly grown: (toTheEnd?: boolean) => void
  readonly ask: (prompt: string) => void
  readonly post: Post
}

/** Sends a request to the service. Throws a refusal as a `Failure`. */
export type Post = (
  path: string,
  body: unknown,
  headers?: Record<string, string>,
  signal?: AbortSignal | null,
) => Promise<Response>
