import type { ToolStatus } from '@tether/contract'
import type { EgressAnswer, EgressResult } from '../../foundation/egress/index.ts'
import { IN_FLIGHT, saysInFlight } from './attempt.ts'

/** Why a write ended for good. */
export type FailureCode = 'VALIDATION_ERROR' | 'RESOURCE_NOT_FOUND' | 'FORBIDDEN' | 'CONFLICT' | 'EXECUTION_FAILED'

type NotExecuted = { readonly status: ToolStatus; readonly httpStatus: number | null; readonly message: string }

/** What became of a confirmed write, as far as it can be known from here. */
export type Executed =
  /** The endpoint said yes. `body` is its answer to the byte: whatever it holds, the write was performed. */
  | { readonly kind: 'executed'; readonly httpStatus: number; readonly body: Buffer }
  | (NotExecuted & { readonly kind: 'failed'; readonly code: FailureCode })
  /** It is certain that nothing was applied. */
  | (NotExecuted & { readonly kind: 'retryable' })
  /** It may have been applied: only the endpoint knows. */
  | (NotExecuted & { readonly kind: 'indeterminate' })

const FAILURES: Readonly<Record<number, FailureCode>> = {
  400: 'VALIDATION_ERROR',
  422: 'VALIDATION_ERROR',
  404: 'RESOURCE_NOT_FOUND',
  401: 'FORBIDDEN',
  403: 'FORBIDDEN',
  409: 'CONFLICT',
}

/** Errs towards "we do not know": a wrong certainty in either direction would run something twice, or never. */
export function judgeWrite(result: EgressResult): Executed {
  if (result.kind === 'answer') return judgeAnswer(result)
  const { status: httpStatus, message, sent } = result
  const status: ToolStatus = STATUS_OF[result.kind]
  return sent
    ? { kind: 'indeterminate', status, httpStatus, message: `${message} The write may have been performed.` }
    : { kind: 'retryable', status, httpStatus, message: `${message} Nothing was sent.` }
}

const STATUS_OF = {
  refused: 'invalid_endpoint',
  unreachable: 'unreachable',
  timeout: 'timeout',
  aborted: 'indeterminate',
  too_large: 'response_too_large',
  invalid_answer: 'indeterminate',
} as const satisfies Record<Exclude<EgressResult['kind'], 'answer'>, ToolStatus>

function judgeAnswer({ status: httpStatus, body }: EgressAnswer): Executed {
  const said = `The endpoint answered ${httpStatus}.`
  const unknown = (status: ToolStatus, message: string): Executed => ({
    kind: 'indeterminate',
    status,
    httpStatus,
    message,
  })
  if (httpStatus >= 200 && httpStatus < 300) {
    if (isJsonOrEmpty(body)) return { kind: 'executed', httpStatus, body }
    return unknown('indeterminate', `${said} Its body is not JSON, so what happened is not known.`)
  }
  if (httpStatus === 408 || httpStatus === 429) {
    return { kind: 'retryable', status: 'endpoint_error', httpStatus, message: `${said} It can be confirmed again.` }
  }
  if (httpStatus === 409 && saysInFlight(body)) return unknown('in_flight', IN_FLIGHT)
  if (httpStatus >= 400 && httpStatus < 500) {
    return {
      kind: 'failed',
      status: 'endpoint_error',
      httpStatus,
      message: said,
      code: FAILURES[httpStatus] ?? 'EXECUTION_FAILED',
    }
  }
  return unknown('server_error', `${said} The write may have been performed.`)
}

/** Any JSON at all, however deep or odd: it is kept as its bytes, and read with bounds later or not at all. */
function isJsonOrEmpty(body: Buffer): boolean {
  if (body.length === 0) return true
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return true
  } catch {
    return false
  }
}
