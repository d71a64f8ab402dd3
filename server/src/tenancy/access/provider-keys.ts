// The keys of providers: the one that comes with the authority, and those that sign in the people of all their businesses.
import { KEY_PREFIXES } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import type { House } from '../context/index.ts'
import { changingKeys, type IssuedKey, MOST_REVOKED, noTenant, tooManyKeys, unknownKey } from './keys.ts'
import * as sql from './provider-queries.ts'
import { lockProvider, type ProviderKey } from './providers.ts'
import { insertKey, type KeyRow, listInboxKeys as listKeysOfInbox, lockTenant } from './queries.ts'

export async function grantProvider(house: House, tenantId: number, label: string | null): Promise<IssuedKey> {
  return await changingKeys(house, { tenantId, askingKey: null }, KEY_PREFIXES.provider, async (tx, fresh) => {
    const row = await tx.one(sql.insertProviderKey, { tenantId, hash: fresh.hash, prefix: fresh.prefix, label })
    if (row === undefined) {
      throw refuse(
        'provisioned_tenant',
        'A provider has taken this business on, so it cannot become a provider itself.',
      )
    }
    return { ...row, key: fresh.key }
  })
}

export async function withdrawProvider({ db }: Pick<House, 'db'>, tenantId: number): Promise<number> {
  return await db.transaction(async (tx) => {
    if ((await tx.one(lockTenant, { tenantId })) === undefined) throw noTenant()
    return (await tx.one(sql.withdrawProvider, { tenantId }))?.revoked ?? 0
  })
}

export async function issueInboxKey(house: House, provider: ProviderKey, label: string | null): Promise<IssuedKey> {
  const limit = house.settings.account.maxLiveKeys
  const { tenantId } = provider
  return await changingKeys(house, provider, KEY_PREFIXES.provider_inbox, async (tx, { key, hash, prefix }) => {
    await lockProvider(tx, provider)
    const made = { tenantId, hash, prefix, label, limit }
    const row = await tx.one(insertKey, { ...made, kind: 'provider_inbox', sealed: null, by: '' })
    if (row === undefined) throw tooManyKeys(limit)
    return { ...row, key }
  })
}

export const listInboxKeys = ({ db }: Pick<House, 'db'>, tenantId: number): Promise<KeyRow[]> =>
  db.rows(listKeysOfInbox, { tenantId, mostRevoked: MOST_REVOKED })

export async function revokeInboxKey({ db }: Pick<House, 'db'>, tenantId: number, prefix: string): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await tx.one(lockTenant, { tenantId })) === undefined) throw noTenant()
    if ((await tx.one(sql.revokeInboxKey, { tenantId, prefix })) === undefined) throw unknownKey(prefix)
  })
}
