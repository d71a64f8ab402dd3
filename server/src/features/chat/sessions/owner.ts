import type { TenantAsking } from '../../../ground/context/index.ts'

/** Whose a conversation is. A guest's is whoever's who holds its id. */
export type Owner = {
  readonly kind: 'customer' | 'guest' | 'user' | 'agent' | 'sandbox'
  readonly id: string
}

export function ownerOf({
  kind,
  customer,
  actor,
  keyPrefix,
}: Pick<TenantAsking, 'kind' | 'customer' | 'actor' | 'keyPrefix'>): Owner {
  if (customer !== null) return { kind: 'customer', id: customer.id }
  if (kind === 'publishable') return { kind: 'guest', id: '' }
  if (kind === 'agent' || kind === 'sandbox') return { kind, id: keyPrefix }
  return { kind: 'user', id: String(actor.userId ?? 0) }
}

export type NotYours = 'other_customer' | 'customer_session' | 'anonymous_session' | 'not_issued'

/** Null when the one who asks may go on with a conversation of this owner; null instead of an owner: there is none such. */
export function refusedOwner(owner: Owner | null, asking: Owner): NotYours | null {
  if (owner === null) return 'not_issued'
  if (owner.kind === asking.kind && owner.id === asking.id) return null
  if (owner.kind === 'customer') return asking.kind === 'customer' ? 'other_customer' : 'customer_session'
  if (asking.kind === 'customer') return 'anonymous_session'
  // Another key's or another user's: that it exists is not theirs to know.
  return 'not_issued'
}

export const NOT_YOURS: Readonly<Record<NotYours, string>> = {
  other_customer: 'This conversation belongs to another customer.',
  customer_session: 'This conversation belongs to a signed-in customer: send their X-Service-Customer-Token.',
  anonymous_session: 'This conversation began before anybody was signed in.',
  not_issued: 'No conversation of yours has this id.',
}
