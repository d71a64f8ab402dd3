import type { KeyKind } from '@tether/contract'
import { type Refusal, refuse } from '../../kernel/http/index.ts'
import { kindsReaching, type Reach } from './route.ts'

type Bearer = KeyKind | 'operator'

/**
 * Returns null if this kind of key may go on, otherwise a refusal. The table is closed: a kind that the route does not
 * name is refused.
 */
export function refusedReach(kind: Bearer, reach: Reach, hasSession: boolean): Refusal | null {
  if (reach.who === 'anyone' || reach.who === 'known') return null
  if (kind === 'sandbox' && reach.who === 'operator') return outOfReach(...refusalWords(kind, []))
  if (reach.who === 'operator')
    return kind === 'operator' ? null : outOfReach('Only the operator’s key reaches this route.')
  if (kind === 'operator') return outOfReach('This route acts for one tenant. Use a key of that tenant.')
  const kinds = kindsReaching(reach)
  if (kinds.includes(kind)) return null
  if (reach.withSession?.includes(kind) === true) {
    return hasSession
      ? null
      : outOfReach('Sign the person in first, then send X-Service-User-Session.', 'user_session_required')
  }
  return outOfReach(...refusalWords(kind, kinds))
}

const outOfReach = (message: string, reason?: string): Refusal =>
  refuse('insufficient_scope', message, reason === undefined ? {} : { reason })

function refusalWords(kind: KeyKind, kinds: readonly KeyKind[]): [message: string, reason?: string] {
  switch (kind) {
    case 'inbox':
    case 'provider_inbox':
      return [
        'An inbox key only signs people in and decides approvals as them. Use the secret key, from a server.',
        'not_an_inbox_route',
      ]
    case 'sandbox':
      return ['A sandbox key only reaches the sandbox, its chat and its claim.', 'not_a_sandbox_route']
    case 'ci':
    case 'ci_replace':
      return [
        'A CI key only drafts imports, documents and vocabulary. Use the secret key, from a server.',
        'not_a_ci_route',
      ]
    case 'secret':
      if (kinds.includes('sandbox'))
        return ['This route needs the sandbox key that opened the sandbox.', 'sandbox_credential_required']
      return ['A workspace’s secret key does not reach this route.']
    default:
      return [
        `${/^[aeiou]/.test(kind) ? 'An' : 'A'} ${kind} key does not reach this route. Use the secret key, from a server.`,
      ]
  }
}
