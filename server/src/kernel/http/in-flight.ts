import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { refuse } from './refusal.ts'

export type InFlightLimits = {
  /** The most bytes of one share at a time: bodies that come, and answers that are not yet read. */
  readonly mostBytes: number
  /** The most large bodies of one share at a time. */
  readonly mostLarge: number
}

/** What a request takes, as far as its head tells. */
type Expected = { readonly body: number; readonly answer: number }

/** What a request holds of its share until its answer has been read, or nobody reads it any more. */
export type Held = {
  /** Sets how large the answer is, once that is known. */
  answer(bytes: number): void
  /** Counts an answer that is being made. False, and not counted, where the share may not hold as many bytes. */
  grow(bytes: number): boolean
  release(): void
}
export type InFlight = { take(share: string, expected: Expected): Held }

/** A body above this is a catalog or a picture, and takes many times its size while it is read. */
const LARGE = 1024 * 1024

/**
 * Bounds the memory that one share can hold with requests that it does not finish sending and answers that it does not
 * read. Rates bound how often somebody asks, and say nothing of how long that is held.
 */
export function openInFlight({ mostBytes, mostLarge }: InFlightLimits): InFlight {
  const inHand = new Map<string, { bytes: number; large: number; requests: number }>()
  return {
    take(share, { body, answer }) {
      const hand = inHand.get(share) ?? { bytes: 0, large: 0, requests: 0 }
      const large = body > LARGE ? 1 : 0
      if (large === 1 && hand.large >= mostLarge) throw tooManyLarge(mostLarge)
      // Whoever holds nothing is let in, however large the request: the limit of its route has let it pass.
      if (hand.bytes > 0 && hand.bytes + body + answer > mostBytes) throw tooManyBytes(mostBytes)
      hand.requests += 1
      hand.large += large
      let bytes = body + answer
      hand.bytes += bytes
      inHand.set(share, hand)
      let isHeld = true
      return {
        grow(size) {
          const others = hand.bytes - bytes
          if (!isHeld || body + size <= bytes) return true
          if (others > 0 && others + body + size > mostBytes) return false
          hand.bytes = others + body + size
          bytes = body + size
          return true
        },
        answer(size) {
          if (!isHeld) return
          hand.bytes += body + size - bytes
          bytes = body + size
        },
        release() {
          if (!isHeld) return
          isHeld = false
          hand.requests -= 1
          hand.large -= large
          hand.bytes -= bytes
          if (hand.requests === 0) inHand.delete(share)
        },
      }
    },
  }
}

/** A body of unknown length is taken for the largest that its route accepts. */
export function expectedOf(
  { headers }: IncomingMessage,
  { bodyLimit, answerBytes }: { readonly bodyLimit: number; readonly answerBytes: number },
): Expected {
  const isChunked = headers['transfer-encoding'] !== undefined
  const announced = isChunked ? bodyLimit : Number(headers['content-length'] ?? 0)
  return { body: Math.min(announced, bodyLimit), answer: answerBytes }
}

/**
 * Ends an answer whose reader takes nothing of it for so long, which would otherwise be held for as long as the reader
 * likes. However slowly it is read, each byte begins the time anew.
 */
export function endUnread(response: ServerResponse, ms: number): void {
  // An injected request has no connection that could wait for anybody.
  if (response.socket !== null && !(response.socket instanceof Socket)) return
  response.setTimeout(ms)
  // Ahead of Node's own listener, which sets how long the connection may then rest.
  response.prependOnceListener('finish', () => response.socket?.setTimeout(0))
}

const SOON = { 'retry-after': '1' }

const tooManyLarge = (most: number) =>
  refuse(
    'rate_limited',
    `${most} bodies above 1 MiB are in hand already. Send the next when one of them has been answered.`,
    { reason: 'large_bodies' },
    SOON,
  )
const tooManyBytes = (most: number) =>
  refuse(
    'rate_limited',
    `More than ${most} bytes of your requests and answers are in hand. Read the answers that wait, then try again.`,
    { reason: 'bytes_in_flight' },
    SOON,
  )
