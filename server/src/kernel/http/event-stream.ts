import type { ServerResponse } from 'node:http'

/** One event of a stream. `data` must be a single line of text. Without it, a comment says that the line is open. */
export type ServerEvent = { readonly id?: string; readonly data?: string }

/** These stop a proxy on the way from storing, changing or buffering a stream. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const

const BEAT = ': still here\n\n'
const BEAT_MS = 15_000

/**
 * Writes events as they come. A slow reader holds the source back, and one that has left ends it. During a long silence
 * we write a comment, so that no proxy in between takes the connection for dead.
 */
export async function writeEvents(
  response: ServerResponse,
  events: AsyncIterable<ServerEvent>,
  beatMs = BEAT_MS,
): Promise<void> {
  let wroteAt = performance.now()
  let isFull = false
  const beat = setInterval(() => {
    if (isFull || response.destroyed || performance.now() - wroteAt < beatMs / 2) return
    response.write(BEAT)
  }, beatMs)
  beat.unref()
  try {
    for await (const { id, data } of events) {
      if (response.destroyed) break
      wroteAt = performance.now()
      if (response.write(data === undefined ? BEAT : `${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`))
        continue
      isFull = true
      await roomOrEnd(response)
      isFull = false
    }
  } finally {
    clearInterval(beat)
    if (!response.destroyed) response.end()
  }
}

/** Waits until there is room again, or until the reader has left. */
async function roomOrEnd(response: ServerResponse): Promise<void> {
  if (response.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => resolve()
  response.once('drain', done)
  response.once('close', done)
  await promise
  response.off('drain', done)
  response.off('close', done)
}
