import { statement } from '../../kernel/db/index.ts'

export type Registration = {
  tenantId: number
  tools: string
  hash: string
  keepBytes: number
  toolCount: number
  writeToolCount: number
}

/**
 * SQL: the parts of a statement that registers a catalog; `version` says which one it became. The tenant's row counts the
 * versions, so that two registrations at once get two versions, one after the other; `and` is what must still hold of
 * that row. A document that is stored already is locked, so that it is not deleted before a version that rests on it is
 * there: whoever finds it deleted by then stores it again. What old versions hold past `$keepBytes`, or past a thousand
 * documents, is deleted.
 */
export const registering = ({ and, alsoSet = '' }: { and: string; alsoSet?: string }): string =>
  `numbered as (
     update tenants set catalog_version = catalog_version + 1${alsoSet}
      where tenant_id = $tenantId::int and deleted_at is null and ${and}
     returning tenant_id, catalog_version
   ), same as (
     select c.version from catalogs c
      where c.tenant_id = $tenantId::int and c.hash = $hash::text and c.tools is not null and (select count(*) from numbered) > 0
      order by c.version desc limit 1
        for update of c
   ), older as (
     select c.version, row_number() over newest as nth, sum(octet_length(c.tools)) over newest as bytes_so_far
       from catalogs c join numbered n on n.tenant_id = c.tenant_id
      where c.tenant_id = $tenantId::int and c.tools is not null and c.version not in (select version from same)
     window newest as (order by c.version desc rows unbounded preceding)
   ), beyond as materialized (
     select c.version, coalesce(c.hash, encode(sha256(convert_to(c.tools, 'UTF8')), 'hex')) as hash
       from catalogs c join older o on o.version = c.version
      where c.tenant_id = $tenantId::int
        and (o.nth >= 1000 or o.bytes_so_far + octet_length($tools::text) > $keepBytes::bigint)
   ), deleted as (
     update catalogs c set tools = null, hash = b.hash from beyond b
      where c.tenant_id = $tenantId::int and c.version = b.version
   ), version as (
     insert into catalogs (tenant_id, version, tools, hash, tool_count, write_tool_count)
     select tenant_id, catalog_version, case when exists (select 1 from same) then null else $tools::text end, $hash::text,
            $toolCount::int, $writeToolCount::int
       from numbered
     returning version, registered_at
   )`

/**
 * Returns no row if the tenant's upstreams have changed since `$upstreamsVersion`, because their tools are a part of every catalog, or if
 * the version in use is not `$basedOn`. Null skips the comparison.
 */
export const insertCatalog = statement<
  { version: number; registeredAt: Date },
  Registration & { upstreamsVersion: number | null; basedOn: number | null }
>(
  'catalog.insert',
  `with ${registering({
    and: `($upstreamsVersion::int is null or upstreams_version = $upstreamsVersion::int)
      and ($basedOn::int is null or catalog_version = $basedOn::int)`,
  })}
   select version, registered_at as "registeredAt" from version`,
  { guest: { tenants: '`tenants` counts the versions, because every request reads it' } },
)

export type CatalogRow = {
  version: number
  /** Null where the document of an old version has been deleted. */
  tools: string | null
  toolCount: number
  writeToolCount: number
  registeredAt: Date
}

export const findCatalog = statement<CatalogRow, { tenantId: number; version: number }>(
  'catalog.find',
  `select version, coalesce(tools, (
            select d.tools from catalogs d
             where d.tenant_id = $tenantId::int and d.hash = c.hash and d.tools is not null
             order by d.version desc limit 1)) as tools,
          tool_count as "toolCount", write_tool_count as "writeToolCount", registered_at as "registeredAt"
     from catalogs c
    where tenant_id = $tenantId::int and version = $version::int`,
)

export const findVersion = statement<{ catalogVersion: number }, { tenantId: number }>(
  'catalog.find_version',
  'select catalog_version as "catalogVersion" from tenants where tenant_id = $tenantId::int and deleted_at is null',
)

export type VersionRow = {
  version: number
  toolCount: number
  writeToolCount: number
  registeredAt: Date
  kept: boolean
}

/** The newest versions first. Of an old one the document may have been deleted. */
export const listVersions = statement<VersionRow, { tenantId: number; limit: number }>(
  'catalog.list_versions',
  `select c.version, c.tool_count as "toolCount", c.write_tool_count as "writeToolCount", c.registered_at as "registeredAt",
          c.tools is not null or exists (
            select 1 from catalogs d where d.tenant_id = $tenantId::int and d.hash = c.hash and d.tools is not null) as kept
     from catalogs c
    where c.tenant_id = $tenantId::int
    order by c.version desc
    limit $limit::int`,
)
