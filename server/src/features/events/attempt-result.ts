import type { EgressResult } from '../../foundation/egress/index.ts'

/** How one attempt ended. `error` is in the words of the specification; `final` says that no further attempt can help. */
export type Outcome = {
  readonly delivered: boolean
  readonly statusCode: number | null
  readonly error: string | null
  readonly final: boolean
  readonly durationMs: number
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** Delivered is 2xx, whatever becomes of the body: nobody here reads it. */
export function outcomeOf(result: EgressResult): Outcome {
  const { status: statusCode } = result
  const durationMs = Math.round(result.durationMs)
  if (isSuccess(statusCode)) return { delivered: true, statusCode, error: null, final: false, durationMs }
  return { delivered: false, statusCode, error: errorOf(result), final: result.kind === 'refused', durationMs }
}

function errorOf(result: EgressResult): string {
  if (result.kind === 'answer') return `the receiver answered ${result.status}`
  if (result.kind === 'timeout') return `timeout: ${result.message}`
  if (result.kind === 'refused') return `invalid_endpoint: ${result.message}`
  return result.status === null ? `unreachable: ${result.message}` : `the receiver answered ${result.status}`
}

export const NO_DESTINATION: Outcome = {
  delivered: false,
  statusCode: null,
  error: 'no_destination: the workspace has neither an events webhook nor a tool endpoint (PUT /v1/events/webhook).',
  final: true,
  durationMs: 0,
}
