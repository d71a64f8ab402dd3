import type { Context, TenantAsking } from '../../../tenancy/context/index.ts'

/** Who owns a conversation. A guest's belongs to whoever has its id. */
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
  if (kind === 'agent' || kind === 'sandbox') return { kind, id: keyPrefix ?? '' }
  return { kind: 'user', id: String(actor.userId ?? 0) }
}

/** Under which turn and caller this one asks. A turn belongs to its caller alone: the same tenant, kind of key and owner. */
export function turnOf({ asking }: Context, requestId: string) {
  const { kind, id } = ownerOf(asking)
  return { tenantId: asking.tenantId, requestId, caller: JSON.stringify([asking.kind, kind, id]) }
}

type NotYours = 'other_customer' | 'customer_session' | 'anonymous_session' | 'not_issued'

/**
 * Returns null if the caller may continue a conversation of this owner. A null owner means that there is no such
 * conversation.
 */
export function refusedOwner(owner: Owner | null, asking: Owner): NotYours | null {
  if (owner === null) return 'not_issued'
  if (owner.kind === asking.kind && owner.id === asking.id) return null
  if (owner.kind === 'customer') return asking.kind === 'customer' ? 'other_customer' : 'customer_session'
  if (asking.kind === 'customer') return 'anonymous_session'
  // It belongs to another key or user, so this caller must not learn that it exists.
  return 'not_issued'
}

export const NOT_YOURS: Readonly<Record<NotYours, string>> = {
  other_customer: 'This conversation belongs to another customer.',
  customer_session: 'This conversation belongs to a signed-in customer. Send their X-Service-Customer-Token.',
  anonymous_session: 'This conversation began before anybody had signed in.',
  not_issued: 'You have no conversation with this id.',
}
