import { KEY_PREFIX_LENGTH, KEY_PREFIXES, type Plan } from '@tether/contract'
import { foldAddress, newSigningSecret, saltedHash, sha256 } from '../../foundation/crypto/index.ts'
import { newKey } from '../../foundation/ids/index.ts'
import { type House, placeOf } from '../context/index.ts'
import { insertTenant, nextTenantId } from './queries.ts'

export type TenantInput = {
  readonly name: string
  readonly plan: Plan
  readonly selfServe: boolean
  readonly email: string | null
  /** A tenant that an operator or a provider creates is confirmed from the start. */
  readonly confirmed: boolean
}

export type CreatedTenant = {
  readonly tenantId: number
  readonly apiKey: string
  readonly keyPrefix: string
  readonly signingSecret: string
  readonly createdAt: Date
}

/** The id is taken first, because the secrets are sealed to the row that they will stand in. */
export async function createTenant(house: House, input: TenantInput): Promise<CreatedTenant> {
  const { db, keyring, settings } = house
  const taken = await db.one(nextTenantId, [])
  if (taken === undefined) throw new Error('the tenant sequence gave nothing')
  const { tenantId } = taken
  const apiKey = newKey(KEY_PREFIXES.secret)
  const keyPrefix = apiKey.slice(0, KEY_PREFIX_LENGTH)
  const signingSecret = newSigningSecret()
  const made = await db.one(insertTenant, [
    tenantId,
    input.name,
    input.plan,
    input.selfServe,
    input.email === null ? null : keyring.seal(input.email, placeOf(tenantId, 'email_sealed')),
    addressHash(settings, input.email),
    input.confirmed,
    keyring.seal(signingSecret, placeOf(tenantId, 'signing_secret')),
    sha256(apiKey),
    keyPrefix,
  ])
  if (made === undefined) throw new Error('the tenant was not written')
  return { tenantId, apiKey, keyPrefix, signingSecret, createdAt: made.createdAt }
}

/** How an address is recognised when it comes again. Without a salt nothing is kept that could be guessed back. */
function addressHash({ signup }: House['settings'], email: string | null): string | null {
  const salt = signup.ipHashSalt
  return email === null || salt === undefined || salt === '' ? null : saltedHash(salt, 'email', foldAddress(email))
}
