/** What is answered to one request, and remembered of a write: replays are the same to the byte. */
export type Reply = { readonly status: number; readonly body: string }

export const json = (status: number, value: unknown): Reply => ({ status, body: JSON.stringify(value) })

/** The first request with this key is still running, or ended in a way that nobody knows. */
export const IN_FLIGHT = json(409, { status: 'in_flight' })

/** Thrown (or returned) by a tool to answer something other than success. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reply: Reply

  constructor(status: number, value: { readonly status: string; readonly message: string }) {
    super(value.message)
    this.reply = json(status, value)
  }
}

/**
 * There is no such thing: of a read the model is told so, in these words, so write them for your visitor. A write fails with
 * `RESOURCE_NOT_FOUND`.
 */
export const notFound = (message = ''): Refusal => new Refusal(404, { status: 'not_found', message })

const REFUSALS = { invalid: 422, forbidden: 403, conflict: 409, refused: 410 } as const

/**
 * You will not do it: the write has failed for good, and whoever sends it again gets the same answer. `why` decides the code in the
 * trail: `invalid` VALIDATION_ERROR, `forbidden` FORBIDDEN, `conflict` CONFLICT, `refused` EXECUTION_FAILED.
 */
export const refused = (message: string, why: keyof typeof REFUSALS = 'refused'): Refusal =>
  new Refusal(REFUSALS[why], { status: why, message })

/** Thrown by a tool that is certain to have changed nothing: a write is pending again, and a read is tried again. */
export class TryLater extends Error {
  override readonly name = 'TryLater'
}
export const tryLater = (message = 'Not now.'): TryLater => new TryLater(message)

export const later = (message: string): Reply => json(429, { status: 'try_later', message })

/** What a tool returned, as an answer. */
export function replyOf(value: unknown): Reply {
  if (value instanceof Refusal) return value.reply
  const body = JSON.stringify(value)
  // JSON has no word for undefined or a function.
  return { status: 200, body: body ?? '' }
}
