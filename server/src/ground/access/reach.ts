import type { KeyKind } from '@tether/contract'
import { type Refusal, refuse } from '../../foundation/http/index.ts'
import type { Reach } from './route.ts'

type Bearer = KeyKind | 'operator'

/** Null when this kind of key may go on; else why not. The table is closed: a kind that a route does not name is refused. */
export function refusedReach(kind: Bearer, reach: Reach, hasSession: boolean): Refusal | null {
  if (reach.who === 'anyone' || reach.who === 'known') return null
  if (reach.who === 'operator') return kind === 'operator' ? null : closed('This route is the operator’s.')
  if (kind === 'operator') return closed('This route acts for one tenant: use a key of that tenant.')
  if (reach.kinds.includes(kind)) return null
  if (reach.withSession?.includes(kind) === true) {
    return hasSession
      ? null
      : closed('Sign the person in first, and send X-Service-User-Session.', 'user_session_required')
  }
  return closed(...words(kind, reach.kinds))
}

const closed = (message: string, reason?: string): Refusal =>
  refuse('insufficient_scope', message, reason === undefined ? {} : { reason })

function words(kind: KeyKind, kinds: readonly KeyKind[]): [message: string, reason?: string] {
  switch (kind) {
    case 'inbox':
      return [
        'An inbox key signs people in and decides approvals as them; it reaches nothing else.',
        'not_an_inbox_route',
      ]
    case 'sandbox':
      return ['A sandbox key reaches the sandbox, its chat and its claim; nothing else.', 'not_a_sandbox_route']
    case 'ci':
    case 'ci_replace':
      return ['A CI key drafts imports, documents and vocabulary; it does not reach this route.', 'not_a_ci_route']
    case 'secret':
      if (kinds.includes('sandbox'))
        return ['This route takes the sandbox key that opened it.', 'sandbox_credential_required']
      return ['This route is not one that a workspace’s secret key reaches.']
    default:
      return [
        `${/^[aeiou]/.test(kind) ? 'An' : 'A'} ${kind} key does not reach this route. Use the secret key, from a server.`,
      ]
  }
}
