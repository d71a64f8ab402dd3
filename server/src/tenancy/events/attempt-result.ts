import type { EgressResult } from '../../kernel/egress/index.ts'

/**
 * How one attempt ended. `error` uses the words of the specification; `final` means that no further attempt can help.
 */
export type AttemptResult = {
  readonly delivered: boolean
  readonly statusCode: number | null
  readonly error: string | null
  readonly final: boolean
  readonly durationMs: number
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** Delivered means 2xx, whatever happens to the body, because we do not read it. */
export function attemptResultOf(result: EgressResult): AttemptResult {
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

export const NO_DESTINATION: AttemptResult = {
  delivered: false,
  statusCode: null,
  error:
    'no_destination: the workspace has neither an events webhook nor a tool endpoint. Set one with PUT /v1/events/webhook.',
  final: true,
  durationMs: 0,
}
