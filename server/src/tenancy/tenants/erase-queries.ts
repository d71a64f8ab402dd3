import { ERASED_TABLES } from '../../../migrations/tables.ts'
import { statement, type Transaction } from '../../kernel/db/index.ts'

/** The strongest lock. Whoever writes something for a tenant holds at least a shared lock on its row. */
export const lockForErasure = statement<{ tenantId: number }, { tenantId: number }>(
  'tenants.lock_for_erasure',
  'select tenant_id as "tenantId" from tenants where tenant_id = $tenantId::int for update',
)

export const entomb = statement<unknown, { tenantId: number }>(
  'tenants.entomb',
  `update tenants
      set name = null, plan = 'free', self_serve = false, intent = null, email_sealed = null, email_confirmed_at = null, signing_secret = null, previous_signing_secret = null,
          signing_secret_rotated_at = null, customer_token_key = null, provider = false, provider_tenant_id = null, moderation = 'default',
          daily_cap_usd = null, monthly_cap_usd = null, origins = '{}', held_origins = '{}', endpoint_url = null,
          events_webhook_url = null, api_url = null, catalog_version = 0, knowledge_version = 0, preview_version = 0, authority_version = 0, pack_version = 0, upstreams_version = 0, language = null, brand_color = null, brand_logo = null,
          -- One hash stays, so that the address cannot get another workspace.
          email_hash = case when count_hash is null then email_hash end, deleted_at = now()
    where tenant_id = $tenantId::int and deleted_at is null`,
)

/** Every table with rows of a tenant except `tenants`, which keeps the tombstone. A test compares this list with the schema. */
export const TENANT_TABLES: readonly string[] = Object.keys(ERASED_TABLES)

export const erasures = Object.entries(ERASED_TABLES).map(([table, { owner }]) =>
  statement<unknown, { tenantId: number }>(
    `tenants.erase_${table}`,
    `delete from ${table} where tenant_id = $tenantId::int`,
    owner === 'tenancy/tenants' ? {} : { guest: { [table]: 'the rows of a tenant go with the tenant' } },
  ),
)

/** The audit trail refuses every deletion except that of a whole tenant, which must announce itself here. */
export const announceErasure = (tx: Transaction, tenantId: number): Promise<void> =>
  // Citus passes `set local` on to its workers, but not `set_config`. The command takes no values.
  tx.script(`set local tether.erasing_tenant = '${tenantId}'`)

/** What was read of a site stays nowhere, in its name neither. */
export const resetSandbox = statement<unknown, { tenantId: number }>(
  'tenants.reset_sandbox',
  `update tenants
      set name = '', brand_color = null, brand_logo = null, preview_version = preview_version + 1
    where tenant_id = $tenantId::int and sandbox`,
)

/** A sandbox had no address that could come back, so it needs no tombstone. */
export const deleteSandbox = statement<unknown, { tenantId: number }>(
  'tenants.delete_sandbox',
  'delete from tenants where tenant_id = $tenantId::int and sandbox',
)
