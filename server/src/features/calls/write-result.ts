import type { CodeUnder, ToolStatus } from '@tether/contract'
import { IN_FLIGHT, saysInFlight } from './attempt.ts'
import type { Answered, NoAnswerCause, SendResult } from './transport.ts'

/** Why a write ended for good. */
export type FailureCode = Exclude<CodeUnder<'FailedTerminal'>, 'EXECUTION_ATTEMPTS_EXHAUSTED' | 'user_token_required'>

type NotExecuted = {
  readonly status: Exclude<ToolStatus, 'ok'>
  readonly httpStatus: number | null
  readonly message: string
}

/** What became of a confirmed write, as far as it can be known from here. */
export type WriteResult =
  /** The endpoint said yes. `body` is its answer to the byte: whatever it holds, the write was performed. */
  | { readonly kind: 'executed'; readonly status: 'ok'; readonly httpStatus: number; readonly body: Buffer }
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

const UNANSWERED_WRITE = {
  address_refused: 'invalid_endpoint',
  unreachable: 'unreachable',
  timed_out: 'timeout',
  canceled: 'indeterminate',
  too_large: 'response_too_large',
  unreadable: 'indeterminate',
} as const satisfies Record<NoAnswerCause, ToolStatus>

/** Errs towards "we do not know": a wrong certainty in either direction would run something twice, or never. */
export function writeResultOf(result: SendResult): WriteResult {
  switch (result.kind) {
    case 'answered':
      return answeredWrite(result)
    case 'not_ready':
      return { kind: 'retryable', status: result.status, httpStatus: null, message: result.message }
    case 'not_sent': {
      const { cause, status: httpStatus, message } = result
      return { kind: 'retryable', status: UNANSWERED_WRITE[cause], httpStatus, message: `${message} Nothing was sent.` }
    }
    case 'lost': {
      const { cause, status: httpStatus } = result
      const message = `${result.message} The write may have been performed.`
      return { kind: 'indeterminate', status: UNANSWERED_WRITE[cause], httpStatus, message }
    }
  }
}

function answeredWrite({ status: httpStatus, body }: Answered): WriteResult {
  const answered = `The endpoint answered ${httpStatus}.`
  const indeterminate = (status: NotExecuted['status'], message: string): WriteResult => ({
    kind: 'indeterminate',
    status,
    httpStatus,
    message,
  })
  if (httpStatus >= 200 && httpStatus < 300) {
    if (isJsonOrEmpty(body)) return { kind: 'executed', status: 'ok', httpStatus, body }
    return indeterminate('indeterminate', `${answered} The body is not JSON, so what happened is not known.`)
  }
  if (httpStatus === 408 || httpStatus === 429) {
    return { kind: 'retryable', status: 'endpoint_error', httpStatus, message: `${answered} Nothing was applied.` }
  }
  if (httpStatus === 409 && saysInFlight(body)) return indeterminate('in_flight', IN_FLIGHT)
  if (httpStatus >= 400 && httpStatus < 500) {
    const code = FAILURES[httpStatus] ?? 'EXECUTION_FAILED'
    return { kind: 'failed', status: 'endpoint_error', httpStatus, message: answered, code }
  }
  return indeterminate('server_error', `${answered} The write may have been performed.`)
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
