import type { ToolStatus } from '@tether/contract'
import type { EgressAnswer, EgressResult } from '../../foundation/egress/index.ts'
import { type Json, parseJsonBytes } from '../../foundation/json/index.ts'

/** How one attempt ended. `body` is the answer as its bytes came, and `value` what they say. */
export type Attempt =
  | { readonly ok: true; readonly httpStatus: number; readonly body: Buffer; readonly value: Json }
  | {
      readonly ok: false
      readonly status: ToolStatus
      readonly httpStatus: number | null
      readonly message: string
      /** Whether a read may be tried again after this. */
      readonly again: boolean
      /** What the endpoint asked for with Retry-After. */
      readonly waitMs: number | null
    }

const AGAIN = new Set([408, 429, 502, 503, 504])

/** What a read's answer, or the lack of one, means. */
export function judgeRead(result: EgressResult, now: number): Attempt {
  if (result.kind === 'answer') return judgeAnswer(result, now)
  const { status: httpStatus, message } = result
  const failed = (status: ToolStatus, again: boolean): Attempt => ({
    ok: false,
    status,
    httpStatus,
    message,
    again,
    waitMs: null,
  })
  switch (result.kind) {
    case 'refused':
      return failed('invalid_endpoint', false)
    case 'timeout':
      return failed('timeout', true)
    case 'unreachable':
      return failed('unreachable', true)
    case 'too_large':
      return failed('response_too_large', false)
    case 'invalid_answer':
      return failed('endpoint_error', false)
    case 'aborted':
      return failed('failed', false)
  }
}

function judgeAnswer({ status: httpStatus, headers, body }: EgressAnswer, now: number): Attempt {
  if (httpStatus >= 200 && httpStatus < 300) return readResult(httpStatus, body)
  // A try before this one, whose time was up here, may still be running there: to ask once more would only be told the same.
  if (httpStatus === 409 && saysInFlight(body)) {
    return { ok: false, status: 'in_flight', httpStatus, message: IN_FLIGHT, again: false, waitMs: null }
  }
  const redirect = httpStatus >= 300 && httpStatus < 400 ? ' (redirects are not followed)' : ''
  return {
    ok: false,
    status: 'endpoint_error',
    httpStatus,
    message: `The endpoint answered ${httpStatus}${redirect}.`,
    again: AGAIN.has(httpStatus),
    waitMs: retryAfter(headers['retry-after'], now),
  }
}

function readResult(httpStatus: number, body: Buffer): Attempt {
  if (body.length === 0) return { ok: true, httpStatus, body, value: null }
  try {
    return { ok: true, httpStatus, body, value: parseJsonBytes(body) }
  } catch (error) {
    const message = `The endpoint answered ${httpStatus} with something that is not JSON we can read. ${(error as Error).message}`
    return { ok: false, status: 'endpoint_error', httpStatus, message, again: false, waitMs: null }
  }
}

export const IN_FLIGHT = 'Another request holds this idempotency key at the endpoint.'

/** How an endpoint says, beside 409, that the first request under this key still runs. */
export function saysInFlight(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null && 'status' in value && value.status === 'in_flight'
  } catch {
    return false
  }
}

/** Seconds, or a date. Null when it is neither. */
export function retryAfter(header: string | readonly string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
