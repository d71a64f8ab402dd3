// What is asked of the simulated service: kinds of requests with their steps, and who asks how.
import type { Draw } from './draws.ts'

export type Step =
  /** The event loop of the instance, which does one thing at a time. */
  | { readonly at: 'service'; readonly ms: Draw }
  /** A connection of the instance for as long as the statement takes; of that, a core of the database for `ms`. */
  | { readonly at: 'database'; readonly ms: Draw; readonly commitMs: Draw }
  /** The same within the line of the workspace: its trail has one end. */
  | { readonly at: 'line'; readonly ms: Draw; readonly commitMs: Draw }
  | { readonly at: 'outside'; readonly ms: Draw }

export type Kind = { readonly name: string; readonly share: number; readonly steps: readonly Step[] }

export type Load = {
  readonly kinds: readonly Kind[]
  readonly tenants: number
  /** So many a second, whatever becomes of them; or so many clients that ask again as soon as they are answered. */
  readonly arrivals: { readonly perSecond: number } | { readonly clients: number }
  /** After how long a client gives up, how often it asks in all, and how long it waits before the second time (then twice that). */
  readonly patience?: { readonly timeoutMs: number; readonly tries: number; readonly waitMs: number }
}
