import { KEY_PREFIX_LENGTH, KEY_PREFIXES, type Language, type Plan } from '@tether/contract'
import { newSigningSecret, sha256 } from '../../foundation/crypto/index.ts'
import type { Queries } from '../../foundation/db/index.ts'
import { newKey } from '../../foundation/ids/index.ts'
import { type House, placeOf } from '../context/index.ts'
import { addressHash } from './address.ts'
import { insertTenant, nextTenantId } from './queries.ts'

export type TenantInput = {
  readonly name: string
  readonly plan: Plan
  readonly selfServe: boolean
  readonly email: string | null
  /** A tenant that an operator or a provider creates is confirmed from the start. */
  readonly confirmed: boolean
  /** Of the mails to it. */
  readonly language?: Language
}

export type CreatedTenant = {
  readonly tenantId: number
  readonly apiKey: string
  readonly keyPrefix: string
  readonly signingSecret: string
  readonly createdAt: Date
}

/** The database itself, or a transaction in which more is written. */
type Creating = Pick<House, 'keyring' | 'settings'> & { readonly db: Queries }

/** The id is taken first, because the secrets are sealed to the row that they will stand in. */
export async function createTenant(house: Creating, input: TenantInput): Promise<CreatedTenant> {
  const { db, keyring, settings } = house
  const taken = await db.one(nextTenantId)
  if (taken === undefined) throw new Error('the tenant sequence gave nothing')
  const { tenantId } = taken
  const apiKey = newKey(KEY_PREFIXES.secret)
  const keyPrefix = apiKey.slice(0, KEY_PREFIX_LENGTH)
  const signingSecret = newSigningSecret()
  const made = await db.one(insertTenant, {
    tenantId,
    name: input.name,
    plan: input.plan,
    selfServe: input.selfServe,
    emailSealed: input.email === null ? null : keyring.seal(input.email, placeOf(tenantId, 'email_sealed')),
    emailHash: input.email === null ? null : addressHash(settings, input.email),
    confirmed: input.confirmed,
    signingSecret: keyring.seal(signingSecret, placeOf(tenantId, 'signing_secret')),
    keyHash: sha256(apiKey),
    keyPrefix,
    language: input.language ?? null,
  })
  if (made === undefined) throw new Error('the tenant was not written')
  return { tenantId, apiKey, keyPrefix, signingSecret, createdAt: made.createdAt }
}
