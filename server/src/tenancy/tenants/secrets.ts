import type { Keyring, Place } from '../../kernel/crypto/index.ts'
import { type House, placeOf } from '../context/index.ts'
import * as sql from './queries.ts'

// The previous secret was sealed when it was the current one and only moved, so it opens in the current one's place.
const openOrNull = (keyring: Keyring, sealed: string | null, place: Place): string | null =>
  sealed === null ? null : keyring.open(sealed, place)

export type TenantSecrets = {
  readonly signingSecret: string | null
  /** Set for a day after a rotation. */
  readonly previousSigningSecret: string | null
}

export async function readSigningSecrets(house: House, tenantId: number): Promise<TenantSecrets> {
  const row = await house.db.one(sql.readSecrets, { tenantId })
  const place = placeOf(tenantId, 'signing_secret')
  return {
    signingSecret: openOrNull(house.keyring, row?.signingSecret ?? null, place),
    previousSigningSecret: openOrNull(house.keyring, row?.previousSigningSecret ?? null, place),
  }
}

export async function readCustomerTokenKey(house: House, tenantId: number): Promise<string | null> {
  const row = await house.db.one(sql.readSecrets, { tenantId })
  return openOrNull(house.keyring, row?.customerTokenKey ?? null, placeOf(tenantId, 'customer_token_key'))
}

/** The address on file, or null if there is none. */
export const openAddress = ({ keyring }: Pick<House, 'keyring'>, tenant: sql.TenantRow): string | null =>
  openOrNull(keyring, tenant.emailSealed, placeOf(tenant.tenantId, 'email_sealed'))
