// Loaded before the service (`node --import`): how long a request holds up the others, by a clock that runs only while the
// service's own thread does. What else the machine is busy with, or how slow it is, makes no difference between two requests.

import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { isMainThread } from 'node:worker_threads'
import { processorMs as now } from '../../testkit/processor.ts'

/** Milliseconds of that clock: the longest turn of the event loop, and the longest that each watched path took to be answered. */
export type Held = { readonly turnMs: number; readonly readMs: number }
/** `watch` this path from now on, `held` since then, `hold` the thread as a fault would. */
export type Told = { readonly watch: string } | { readonly hold: number } | 'held'

let watched: { readonly path: string; turnMs: number; readMs: number } | undefined
const arrived = new WeakMap<IncomingMessage, number>()

if (isMainThread) {
  process.on('message', (told: Told) => process.send?.(answerTo(told)))
  process.channel?.unref()
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    if (request.url === watched?.path) arrived.set(request, now())
  })
  subscribe('http.server.response.finish', (message) => {
    const { request } = message as { request: IncomingMessage }
    const started = arrived.get(request)
    if (watched !== undefined && started !== undefined) watched.readMs = Math.max(watched.readMs, now() - started)
  })
}

function answerTo(told: Told): Held | null {
  if (told === 'held') {
    const { turnMs = 0, readMs = 0 } = watched ?? {}
    watched = undefined
    return { turnMs, readMs }
  }
  if ('watch' in told) {
    watched = { path: told.watch, turnMs: 0, readMs: 0 }
    runTurns(watched, now())
  } else {
    const until = now() + told.hold
    while (now() < until);
  }
  return null
}

/** The loop never sleeps, so that the clock runs also while a request waits for the database or for a socket. */
function runTurns(of: NonNullable<typeof watched>, before: number): void {
  const at = now()
  of.turnMs = Math.max(of.turnMs, at - before)
  if (of === watched) setImmediate(runTurns, of, at)
}
