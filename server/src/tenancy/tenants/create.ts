import type { Language, Plan } from '@tether/contract'
import { newSigningSecret } from '../../kernel/crypto/index.ts'
import type { Queries } from '../../kernel/db/index.ts'
import { mintKey } from '../access/index.ts'
import { type House, placeOf } from '../context/index.ts'
import { addressHash, countHash } from './address.ts'
import { insertTenant, nextTenantId } from './queries.ts'

export type TenantInput = {
  readonly name: string
  readonly plan: Plan
  readonly selfServe: boolean
  readonly email: string | null
  /** True for a tenant that an operator or a provider creates. */
  readonly confirmed: boolean
  /** The language of mails to it. */
  readonly language?: Language
  /** The provider whose business it is. */
  readonly providerId?: number
}

export type CreatedTenant = {
  readonly tenantId: number
  readonly apiKey: string
  readonly keyPrefix: string
  readonly signingSecret: string
  readonly createdAt: Date
}

/** `db` is the database itself, or a transaction that writes more. */
type CreatingHouse = Pick<House, 'keyring' | 'settings'> & { readonly db: Queries }

export async function takeTenantId(db: Queries): Promise<number> {
  const taken = await db.one(nextTenantId)
  if (taken === undefined) throw new Error('The sequence of tenants returned no id.')
  return taken.tenantId
}

/** Takes the id first, because the secrets are sealed to their row. */
export async function createTenant(house: CreatingHouse, input: TenantInput): Promise<CreatedTenant> {
  const { db, keyring, settings } = house
  const tenantId = await takeTenantId(db)
  const { key: apiKey, hash: keyHash, prefix: keyPrefix } = mintKey(keyring, 'secret', tenantId)
  const signingSecret = newSigningSecret()
  const made = await db.one(insertTenant, {
    tenantId,
    name: input.name,
    plan: input.plan,
    selfServe: input.selfServe,
    emailSealed: input.email === null ? null : keyring.seal(input.email, placeOf(tenantId, 'email_sealed')),
    emailHash: input.email === null ? null : addressHash(settings, input.email),
    countHash: input.email === null ? null : countHash(settings, input.email),
    confirmed: input.confirmed,
    signingSecret: keyring.seal(signingSecret, placeOf(tenantId, 'signing_secret')),
    keyHash,
    keyPrefix,
    language: input.language ?? null,
    providerId: input.providerId ?? null,
  })
  if (made === undefined) throw new Error('The insert of the tenant returned no row.')
  return { tenantId, apiKey, keyPrefix, signingSecret, createdAt: made.createdAt }
}
