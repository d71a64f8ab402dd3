import type { Keyring, Place } from '../../foundation/crypto/index.ts'
import { type House, placeOf } from '../context/index.ts'
import * as sql from './queries.ts'

// The previous secret was sealed as the present one and is only moved over, so it opens in that place.
const openOrNull = (keyring: Keyring, sealed: string | null, place: Place): string | null =>
  sealed === null ? null : keyring.open(sealed, place)

export type TenantSecrets = {
  readonly signingSecret: string | null
  /** In the day after a rotation. */
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

/** The address on file, or null where none was given. */
export const openAddress = ({ keyring }: Pick<House, 'keyring'>, tenant: sql.TenantRow): string | null =>
  openOrNull(keyring, tenant.emailSealed, placeOf(tenant.tenantId, 'email_sealed'))
