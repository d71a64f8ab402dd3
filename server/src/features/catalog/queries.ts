import { statement } from '../../foundation/db/index.ts'

/** The tenant's row counts the versions, so that two registrations at once get two versions, one after the other. */
export const insertCatalog = statement<
  { version: number; registeredAt: Date },
  { tenantId: number; tools: string; toolCount: number; writeToolCount: number }
>(
  'catalog.insert',
  `with numbered as (
     update tenants set catalog_version = catalog_version + 1
      where tenant_id = $tenantId::int and deleted_at is null
     returning tenant_id, catalog_version
   )
   insert into catalogs (tenant_id, version, tools, tool_count, write_tool_count)
   select tenant_id, catalog_version, $tools::text, $toolCount::int, $writeToolCount::int from numbered
   returning version, registered_at as "registeredAt"`,
)

export type CatalogRow = {
  version: number
  tools: string
  toolCount: number
  writeToolCount: number
  registeredAt: Date
}

export const findCatalog = statement<CatalogRow, { tenantId: number; version: number }>(
  'catalog.find',
  `select version, tools, tool_count as "toolCount", write_tool_count as "writeToolCount", registered_at as "registeredAt"
     from catalogs
    where tenant_id = $tenantId::int and version = $version::int`,
)
