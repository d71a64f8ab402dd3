import type { EgressFailure, EgressResult } from '../../kernel/egress/index.ts'
import type { Attempted, NoAnswerCause } from './transport.ts'

const CAUSES = {
  refused: 'address_refused',
  unreachable: 'unreachable',
  timeout: 'timed_out',
  aborted: 'canceled',
  too_large: 'too_large',
  invalid_answer: 'unreadable',
} as const satisfies Record<EgressFailure['kind'], NoAnswerCause>

/** What the way out reported, in the words of the port. For every transport that speaks HTTP. */
export function resultOverHttp(result: EgressResult): Attempted {
  const { kind, status } = result
  if (kind === 'answer') return { kind: 'answered', status, headers: result.headers, body: result.body }
  const { sent, message } = result
  return { kind: sent ? 'lost' : 'not_sent', cause: CAUSES[kind], status, message }
}
