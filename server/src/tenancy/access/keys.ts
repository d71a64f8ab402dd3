import { KEY_PREFIX_LENGTH, KEY_PREFIXES, type KeyKind } from '@tether/contract'
import { type Keyring, sha256 } from '../../kernel/crypto/index.ts'
import { isUniqueViolation, type Queries } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import type { House, TenantAsking } from '../context/index.ts'
import { lockOwner } from './console-queries.ts'
import { keyText } from './key-text.ts'
import { lockBusiness, lockProvider, notABusiness, type ProviderKey } from './providers.ts'
import * as sql from './queries.ts'

type FreshKey = { readonly key: string; readonly hash: Buffer; readonly prefix: string }
export type IssuedKey = sql.KeyRow & { readonly key: string }

/** Makes a key, which is shown once, with its hash and its prefix, which we keep. */
export const mintKey = (keyring: Keyring, kind: KeyKind, tenantId: number): FreshKey =>
  mintWith(keyring, KEY_PREFIXES[kind], tenantId)

function mintWith(keyring: Keyring, letters: string, tenantId: number): FreshKey {
  const key = keyText(keyring, letters, tenantId)
  return { key, hash: sha256(key), prefix: key.slice(0, KEY_PREFIX_LENGTH) }
}

export const noTenant = () => refuse('tenant_not_found', 'There is no such tenant. Check its id.')

/** For which tenant something is issued, and on the word of which of its keys; null where it is nobody's of the tenant. */
export type Asker = {
  readonly tenantId: number
  readonly askingKey: string | null
  /** The session of the console that asks, where the owner's mailed link opened it and there is no key. */
  readonly owner?: Buffer
  /** The tenant is a business of this provider, which asks. */
  readonly provider?: ProviderKey
}

export const askerOf = ({ tenantId, keyPrefix, actor }: TenantAsking): Asker => ({
  tenantId,
  askingKey: keyPrefix,
  ...(actor.by === 'owner' ? { owner: actor.sessionHash } : {}),
})

/**
 * Issues something under the tenant's lock, while the key that asks is alive. A revocation either comes first, and then nothing is
 * issued, or it comes afterwards and revokes what was issued.
 */
export const issuing = <Result>(
  db: House['db'],
  asker: Asker,
  issue: (tx: Queries) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    await lockFor(tx, asker)
    const { tenantId, askingKey } = asker
    const isDead = askingKey !== null && (await tx.one(sql.lockAsker, { tenantId, askingKey })) === undefined
    if (isDead) throw refuse('invalid_api_key', 'This key has been revoked, so nothing was issued. Use a living key.')
    if (asker.owner !== undefined && (await tx.one(lockOwner, { tenantId, hash: asker.owner })) === undefined)
      throw refuse('invalid_user_session', 'This session has ended, so nothing was issued. Sign in again.', {
        reason: 'closed',
      })
    return await issue(tx)
  })

/** The tenant's lock, for whoever may change its keys. */
async function lockFor(tx: Queries, { tenantId, provider }: Omit<Asker, 'askingKey'>): Promise<void> {
  if (provider !== undefined) {
    await lockProvider(tx, provider)
    if (!(await lockBusiness(tx, provider, tenantId))) throw notABusiness()
  } else if ((await tx.one(sql.lockTenant, { tenantId })) === undefined) throw noTenant()
}

/** Who asked, as the tenant's own events say it. */
function askedBySomebodyElse({ askingKey, owner, provider }: Asker): string {
  if (provider !== undefined) return ', by the provider'
  if (owner !== undefined) return ', by the owner'
  return askingKey === null ? ', by the operator' : ''
}

/** Issues a key under the tenant's lock. */
export const changingKeys = <Result>(
  { db, keyring }: Pick<House, 'db' | 'keyring'>,
  asker: Asker,
  letters: string,
  change: (tx: Queries, fresh: FreshKey) => Promise<Result>,
): Promise<Result> =>
  withFreshKey(
    () => mintWith(keyring, letters, asker.tenantId),
    (fresh) => issuing(db, asker, (tx) => change(tx, fresh)),
  )

/**
 * The first 12 characters of a key have 32 random bits and must be unique within the tenant, so a change that hits a used prefix
 * is retried with another key.
 */
export async function withFreshKey<Key, Result>(
  mint: () => Key,
  use: (fresh: Key) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await use(mint())
    } catch (error) {
      if (attempt === 3 || !isUniqueViolation(error)) throw error
    }
  }
}

type NewKey = { kind: KeyKind; label: string | null }

/** `alongside` runs in the same commit, so that both happen or neither does. */
export async function issueKey(
  house: House,
  asker: Asker,
  { kind, label }: NewKey,
  alongside: (tx: Queries) => Promise<unknown> = async () => {},
): Promise<IssuedKey> {
  const limit = house.settings.account.maxLiveKeys
  const { tenantId } = asker
  return await changingKeys(house, asker, KEY_PREFIXES[kind], async (tx, fresh) => {
    const { hash, prefix } = fresh
    const by = askedBySomebodyElse(asker)
    const row = await tx.one(sql.insertKey, { tenantId, hash, prefix, kind, label, limit, sealed: null, by })
    if (row === undefined) throw tooManyKeys(limit)
    await alongside(tx)
    return { ...row, key: fresh.key }
  })
}

export type WidgetKey = { readonly key: string; readonly prefix: string; readonly issued: boolean }

type KeyReader = { readonly db: Pick<Queries, 'one'>; readonly keyring: House['keyring'] }

export const findWidgetKey = async (house: KeyReader, tenantId: number) => {
  const row = await house.db.one(sql.findWidgetKey, { tenantId })
  if (row === undefined) return undefined
  return { prefix: row.prefix, key: house.keyring.open(row.sealed, sql.sealedKeys.place(tenantId, row.prefix)) }
}

/** Returns the one live key of the workspace's widget. The first call makes it, and later calls return the same one. */
export async function widgetKey(house: House, asker: Asker): Promise<WidgetKey> {
  const limit = house.settings.account.maxLiveKeys
  const { tenantId } = asker
  return await changingKeys(house, asker, KEY_PREFIXES.publishable, async (tx, { key, hash, prefix }) => {
    const known = await findWidgetKey({ db: tx, keyring: house.keyring }, tenantId)
    if (known !== undefined) return { ...known, issued: false }
    const sealed = house.keyring.seal(key, sql.sealedKeys.place(tenantId, prefix))
    const fresh = { tenantId, hash, prefix, kind: 'publishable', label: WIDGET_LABEL, limit, sealed, by: '' } as const
    const made = await tx.one(sql.insertKey, fresh)
    if (made === undefined) throw tooManyKeys(limit)
    return { key, prefix, issued: true }
  })
}

/** True if any of these is a live publishable key of the tenant. */
export async function ownsPublishableKey(
  { db }: Pick<House, 'db'>,
  tenantId: number,
  keys: readonly string[],
): Promise<boolean> {
  const hashes = keys.map((key) => sha256(key).toString('hex'))
  return (await db.one(sql.ownsPublishableKey, { tenantId, hashes }))?.owns === true
}

const WIDGET_LABEL = 'Website widget'

export const tooManyKeys = (limit: number) =>
  refuse('key_limit_reached', `A workspace may have at most ${limit} live keys. Revoke one that is not in use.`)

export const unknownKey = (prefix: string) =>
  refuse('unknown_key', `No live key starts with "${prefix.slice(0, 24)}". The list of keys shows every prefix.`)

/** One commit starts the new key and stops the old one, so that there is never both or neither. */
export async function rotateKey(house: House, asker: Asker, prefix: string): Promise<IssuedKey> {
  const { tenantId } = asker
  const letters = prefix.slice(0, 3)
  if (!Object.values<string>(KEY_PREFIXES).includes(letters)) throw unknownKey(prefix)
  return await changingKeys(house, asker, letters, async (tx, fresh) => {
    const row = await tx.one(sql.rotateKey, {
      tenantId,
      oldPrefix: prefix,
      hash: fresh.hash,
      newPrefix: fresh.prefix,
      sealed: house.keyring.seal(fresh.key, sql.sealedKeys.place(tenantId, fresh.prefix)),
      by: asker.provider === undefined ? '' : askedBySomebodyElse(asker),
    })
    if (row === undefined) throw unknownKey(prefix)
    return { ...row, key: fresh.key }
  })
}

export async function revokeKey(house: House, asker: Asker, prefix: string): Promise<void> {
  const { tenantId } = asker
  await house.db.transaction(async (tx) => {
    await lockFor(tx, asker)
    const outcome = await tx.one(sql.revokeKey, { tenantId, prefix, by: askedBySomebodyElse(asker) })
    if (outcome?.revoked === true) return
    if (outcome?.known === true) {
      throw refuse('last_secret_key', 'This is the only live secret key. Rotate it, or issue another one first.')
    }
    throw unknownKey(prefix)
  })
}

/** Of the keys that were revoked. A workspace may have replaced one every second. */
export const MOST_REVOKED = 1_000

export const listKeys = (house: House, tenantId: number): Promise<sql.KeyRow[]> =>
  house.db.rows(sql.listKeys, { tenantId, mostRevoked: MOST_REVOKED })

export const findKey = (house: House, tenantId: number, prefix: string): Promise<sql.KeyRow | undefined> =>
  house.db.one(sql.findKey, { tenantId, prefix })

/** For the operator, who may not know the tenant. A prefix is unique only within one tenant. */
export async function revokeAnyKey(house: House, prefix: string, tenantId: number | null): Promise<void> {
  const owners = await house.db.rows(sql.tenantsWithPrefix, { prefix, tenantId })
  const [owner, another] = owners
  if (owner === undefined) throw unknownKey(prefix)
  if (another !== undefined) {
    throw refuse('ambiguous_prefix', 'Several tenants have a key with this prefix. Choose one with ?tenantId=.')
  }
  if ((await house.db.run(sql.revokeAnyKey, { tenantId: owner.tenantId, prefix })) === 0) throw unknownKey(prefix)
}

/** For what outlives its request. A page on which a person is signed in has no key; its session is looked at instead. */
export const keyLives = async (
  { db }: Pick<House, 'db'>,
  { tenantId, keyPrefix: prefix }: Pick<TenantAsking, 'tenantId' | 'keyPrefix'>,
): Promise<boolean> => prefix === null || (await db.one(sql.keyLives, { tenantId, prefix }))?.lives === true
