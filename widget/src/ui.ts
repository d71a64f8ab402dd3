import type { Language } from '@tether/contract'
import type { Answer } from './wire.ts'
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
  readonly ask: (prompt: string) => unknown
  /** Looks again who is signed in. */
  readonly check: () => Promise<void>
  readonly post: Post
  /** Reads the service's own state, without a key. */
  readonly address: (path: string) => string
  /** Waits for the second file. A page whose policy refuses it goes without, and everything else works. */
  readonly later: (use: (more: More) => unknown) => unknown
}

/** What the second file does. The first one loads it when the window opens. */
export type More = {
  readonly greet: (ui: Ui, list: HTMLElement) => void
  /** What stands below an answer, and follows from it: its rating, and the watch of its conversation. */
  readonly below: (answer: Answer, cards: Cards, ui: Ui) => Node | string
}

/** The cards of this page by action. */
export type Cards = Map<string, HTMLElement>

/** Sends a request to the service. Throws a refusal as a `Failure`. */
export type Post = (
  path: string,
  body: unknown,
  headers?: Record<string, string>,
  signal?: AbortSignal | null,
) => Promise<Response>
