import type { CodeUnder, ToolStatus } from '@tether/contract'
import { member } from '../../kernel/json/index.ts'
import type { HttpBinding, Tool } from '../catalog/index.ts'
import { IN_FLIGHT, saysInFlight } from './attempt.ts'
import { apiSaid, jsonOf } from './direct/api-answer.ts'
import type { Answered, CalledWith, NoAnswerCause, SendResult } from './transport.ts'

/** Why a write ended for good. */
type FailureCode = Exclude<CodeUnder<'FailedTerminal'>, 'EXECUTION_ATTEMPTS_EXHAUSTED'>

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
  /** An imported API refused the write and gave its reason, which `message` holds. Nothing was applied. */
  | (NotExecuted & { readonly kind: 'refused' })
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
export function writeResultOf(result: SendResult, { http }: Pick<Tool, 'http'>): WriteResult {
  switch (result.kind) {
    case 'answered':
      return result.api === undefined
        ? answeredWrite(result)
        : apiWrite(result, result.api.calledWith, http?.outcomes ?? {})
    case 'not_ready': {
      const { status, message } = result
      // The confirm that could have brought the token is over.
      if (status === 'user_token_required') return { kind: 'failed', status, httpStatus: null, message, code: status }
      return { kind: 'retryable', status, httpStatus: null, message }
    }
    case 'unfit':
      return { kind: 'failed', status: 'failed', httpStatus: null, message: result.message, code: 'VALIDATION_ERROR' }
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

/** An imported API knows nothing of our protocol, but the tenant may have declared what some of its statuses mean. */
function apiWrite(answered: Answered, calledWith: CalledWith, outcomes: HttpBinding['outcomes']): WriteResult {
  const { status: httpStatus, body } = answered
  // A success stands, whatever it says.
  if (httpStatus >= 200 && httpStatus < 300) {
    return { kind: 'executed', status: 'ok', httpStatus, body: jsonOf(body) ?? Buffer.alloc(0) }
  }
  const said = apiSaid(answered, calledWith)
  const unknown = (status: NotExecuted['status']): WriteResult => ({
    kind: 'indeterminate',
    status,
    httpStatus,
    message: `${said} The write may have been performed.`,
  })
  const declared = member(outcomes, String(httpStatus))
  if (declared === 'indeterminate') return unknown('indeterminate')
  if (declared === undefined && (httpStatus === 408 || httpStatus === 429)) {
    return { kind: 'retryable', status: 'endpoint_error', httpStatus, message: `${said} Nothing was applied.` }
  }
  if (httpStatus === 409 && declared === undefined && saysInFlight(body)) return unknown('in_flight')
  // Nobody knows what a server did before it failed, whatever a catalog declares.
  if (httpStatus >= 400 && httpStatus < 500) return { kind: 'refused', status: 'refused', httpStatus, message: said }
  return unknown('server_error')
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
