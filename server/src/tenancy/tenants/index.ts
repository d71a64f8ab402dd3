// The tenants themselves: their row, their sealed secrets, and the events of their account.
import type { Queries } from '../../kernel/db/index.ts'
import { noTenant } from '../access/index.ts'
import * as sql from './queries.ts'

export {
  type AddressOnFile,
  addressHash,
  changeAddress,
  confirmAddress,
  countAddress,
  countHash,
  isSameAddress,
  languageOf,
  lockAddress,
  setLanguage,
  shareAddress,
  tenantsOfAddress,
} from './address.ts'
export { compromise, rotateSigningSecret, setCustomerTokenKey } from './change.ts'
export { type CreatedTenant, createTenant, type TenantInput } from './create.ts'
export { type ErasureCheck, eraseConfirmed, eraseTenant } from './erase.ts'
export { TENANT_TABLES } from './erase-queries.ts'
export { checkedEmail, checkedName } from './input.ts'
export type { AccountEventRow, TenantRow } from './queries.ts'
export { type CreatedSandbox, createSandbox, emptySandbox, eraseSandbox } from './sandbox.ts'
export { sealedTenants } from './seal-queries.ts'
export { openAddress, readCustomerTokenKey, readSigningSecrets, type TenantSecrets } from './secrets.ts'
export { checkSentinel, openSentinel, renewSentinel } from './sentinel.ts'
export { openSigner, type SealedSecrets, type Signer } from './signer.ts'
export { unconfirmed } from './waits.ts'
export { noTenant }

type Db = { readonly db: Queries }

export const findTenant = ({ db }: Db, tenantId: number) => db.one(sql.findTenant, { tenantId })

/** The tenant of a live credential. It can only be missing while it is being deleted. */
export async function tenantOf(house: Db, tenantId: number): Promise<sql.TenantRow> {
  const tenant = await findTenant(house, tenantId)
  if (tenant === undefined) throw noTenant()
  return tenant
}

export const listTenants = ({ db }: Db, after: number, limit: number) => db.rows(sql.listTenants, { after, limit })
export const listAccountEvents = ({ db }: Db, tenantId: number, limit: number) =>
  db.rows(sql.listAccountEvents, { tenantId, limit })
export const setIntent = ({ db }: Db, tenantId: number, intent: string) => db.run(sql.setIntent, { tenantId, intent })

export const setEndpointUrl = ({ db }: Db, tenantId: number, url: string | null) =>
  db.run(sql.setEndpointUrl, { tenantId, url })

export const setWebhookUrl = ({ db }: Db, tenantId: number, url: string | null) =>
  db.run(sql.setWebhookUrl, { tenantId, url })

export async function countLiveKeys({ db }: Db, tenantId: number): Promise<number> {
  return (await db.one(sql.countLiveKeys, { tenantId }))?.liveKeys ?? 0
}

export type TenantChange = {
  readonly name?: string | undefined
  readonly plan?: sql.TenantRow['plan'] | undefined
  readonly moderation?: sql.TenantRow['moderation'] | undefined
  /** Omit it to leave the cap; null removes it. */
  readonly dailyCapUsd?: number | null | undefined
  readonly monthlyCapUsd?: number | null | undefined
  /** Whose business it is from now on; null makes it nobody's. Its row is locked by `lockToMove`. */
  readonly providerId?: number | null | undefined
}

/** False if there is no such tenant, or if it is a provider itself. */
export const lockToMove = async ({ db }: Db, tenantId: number): Promise<boolean> =>
  (await db.one(sql.lockToMove, { tenantId })) !== undefined

/** Returns undefined if there is no such tenant, or if the plan needs a confirmed address first. */
export const patchTenant = ({ db }: Db, tenantId: number, change: TenantChange) =>
  db.one(sql.patchTenant, {
    tenantId,
    name: change.name ?? null,
    plan: change.plan ?? null,
    moderation: change.moderation ?? null,
    setDaily: change.dailyCapUsd !== undefined,
    dailyCapUsd: change.dailyCapUsd ?? null,
    setMonthly: change.monthlyCapUsd !== undefined,
    monthlyCapUsd: change.monthlyCapUsd ?? null,
    setProvider: change.providerId !== undefined,
    providerId: change.providerId ?? null,
  })
