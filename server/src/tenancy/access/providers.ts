// A provider and its businesses, as far as they decide who may ask for what.
import { SESSION_SHAPE } from '@tether/contract'
import { sha256 } from '../../kernel/crypto/index.ts'
import type { Queries } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import type { House, TenantAsking } from '../context/index.ts'
import * as sql from './provider-queries.ts'
import { findTenant, lockAsker, type TenantColumns } from './queries.ts'

/** A provider, and the key with which it asks; null where regular work goes on with what it asked for. */
export type ProviderKey = { readonly tenantId: number; readonly askingKey: string | null }

export const providerOf = ({ tenantId, keyPrefix }: TenantAsking): ProviderKey => ({ tenantId, askingKey: keyPrefix })

export const notAProvider = () =>
  refuse('not_a_provider', 'This workspace is not a provider any longer. Ask the operator of this deployment.')

/** The same words whether the business is somebody else's or there is none, and without its id: nobody learns which ids are taken. */
export const notABusiness = () =>
  refuse('not_a_child_tenant', 'You have created no business with this id. GET /v1/provider/tenants lists yours.')

/** From here to the end of the transaction it stays a provider, and the key that asks stays alive. */
export async function lockProvider(
  tx: Pick<Queries, 'one'>,
  { tenantId, askingKey }: ProviderKey,
): Promise<{ confirmed: boolean }> {
  const row = await tx.one(sql.lockProvider, { tenantId })
  if (row?.provider !== true) throw notAProvider()
  const isDead = askingKey !== null && (await tx.one(lockAsker, { tenantId, askingKey })) === undefined
  if (isDead) throw refuse('invalid_api_key', 'This key has been revoked, so nothing was changed. Use a living key.')
  return { confirmed: row.confirmed }
}

/** From here to the end of the transaction it stays a business of this provider. Lock the provider first. */
export const lockBusiness = async (
  tx: Pick<Queries, 'one'>,
  provider: Pick<ProviderKey, 'tenantId'>,
  tenantId: number,
): Promise<boolean> => (await tx.one(sql.lockBusiness, { tenantId, providerId: provider.tenantId })) !== undefined

export async function requireBusiness(
  { db }: { readonly db: Pick<Queries, 'one'> },
  provider: Pick<ProviderKey, 'tenantId'>,
  tenantId: number,
): Promise<void> {
  if ((await db.one(sql.findBusiness, { tenantId, providerId: provider.tenantId })) === undefined) throw notABusiness()
}

/** The business whose session somebody sends with a key of its provider; undefined where it is none of this provider’s. */
export async function businessOfSession(
  { db }: Pick<House, 'db'>,
  providerId: number,
  [token = '', ...others]: readonly string[],
): Promise<TenantColumns | undefined> {
  if (others.length > 0 || !SESSION_SHAPE.test(token.trim())) return undefined
  const found = await db.one(sql.findBusinessOfSession, { providerId, hash: sha256(token.trim()) })
  return found === undefined ? undefined : await db.one(findTenant, { tenantId: found.tenantId })
}
