import { KEY_PREFIXES } from '@tether/contract'
import { newSigningSecret } from '../../kernel/crypto/index.ts'
import { newKey } from '../../kernel/ids/index.ts'
import { type Asker, changingKeys, issuing, noTenant } from '../access/index.ts'
import { type House, placeOf } from '../context/index.ts'
import * as sql from './queries.ts'

/** `tck_` and 48 hex digits. The HMAC key is the whole text. */
const newCustomerTokenKey = () => newKey('tck')

type SealedColumn = Parameters<typeof placeOf>[1]

/** Stores a new secret of the tenant in the column, and returns it. */
const replacing =
  (column: SealedColumn, make: () => string, set: typeof sql.rotateSigningSecret) =>
  async ({ db, keyring }: House, asker: Asker): Promise<string> => {
    const { tenantId } = asker
    const secret = make()
    const sealed = keyring.seal(secret, placeOf(tenantId, column))
    await issuing(db, asker, (tx) => tx.run(set, { tenantId, sealed }))
    return secret
  }

export const setCustomerTokenKey = replacing('customer_token_key', newCustomerTokenKey, sql.setCustomerTokenKey)
export const rotateSigningSecret = replacing('signing_secret', newSigningSecret, sql.rotateSigningSecret)

type Compromised = {
  readonly apiKey: string
  readonly keyPrefix: string
  readonly revokedKeys: number
  readonly signingSecret: string | null
  readonly customerTokenKey: string | null
}

export async function compromise(house: House, asker: Asker, alsoSigningSecret: boolean): Promise<Compromised> {
  const { keyring } = house
  const { tenantId } = asker
  const signingSecret = alsoSigningSecret ? newSigningSecret() : null
  const sealedSecret = signingSecret === null ? null : keyring.seal(signingSecret, placeOf(tenantId, 'signing_secret'))
  const tokenKey = newCustomerTokenKey()
  const sealedTokenKey = keyring.seal(tokenKey, placeOf(tenantId, 'customer_token_key'))
  return await changingKeys(house, asker, KEY_PREFIXES.secret, async (tx, fresh) => {
    const row = await tx.one(sql.compromise, {
      tenantId,
      keyHash: fresh.hash,
      keyPrefix: fresh.prefix,
      signingSecret: sealedSecret,
      customerTokenKey: sealedTokenKey,
      owner: asker.owner ?? null,
    })
    if (row === undefined) throw noTenant()
    return {
      apiKey: fresh.key,
      keyPrefix: fresh.prefix,
      revokedKeys: row.revokedKeys,
      signingSecret,
      customerTokenKey: row.customerTokenKeyReplaced ? tokenKey : null,
    }
  })
}
