import type { IncomingMessage } from 'node:http'
import { hasBody } from './body.ts'
import { refuse } from './refusal.ts'

/** Whether the body has come by now, as it does with the head of most requests, or there is none. */
export const isWhole = (request: IncomingMessage): boolean => !hasBody(request.headers) || request.complete === true

/** What reads the body hears of its end in time as of any other error, and answers it. */
export function boundBody(body: IncomingMessage, ms: number): void {
  const tooSlow = () =>
    refuse(
      'invalid_request',
      `The body did not arrive within ${ms / 1000} s. Send it whole, right after the head.`,
      {},
      CLOSE,
    )
  const timer = setTimeout(() => body.emit('error', tooSlow()), ms)
  // Where nobody reads any longer, because the answer is decided, nobody needs to hear.
  body.on('error', () => {})
  for (const end of ['end', 'close']) body.once(end, () => clearTimeout(timer))
}

// What is still to come of this request is not the next one.
const CLOSE = { connection: 'close' }
