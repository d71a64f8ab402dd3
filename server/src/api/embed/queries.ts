import { statement } from '../../kernel/db/index.ts'

export type OriginRow = { origins: string[]; held: string[] }

export const readOrigins = statement<OriginRow, { tenantId: number }>(
  'embed.read_origins',
  'select origins, held_origins as held from tenants where tenant_id = $tenantId::int and deleted_at is null',
)

/**
 * Writes both lists at once. It reads whether the workspace may go public under the lock that a confirmation also
 * takes, so that an origin is never held for an address that was just confirmed. If a public origin may be neither used
 * nor held, no row changes.
 */
export const writeOrigins = statement<
  OriginRow & { isLive: boolean; written: boolean },
  { tenantId: number; all: readonly string[]; local: readonly string[]; open: readonly string[]; hold: boolean }
>(
  'embed.write_origins',
  `with asked as (
     select email_confirmed_at is not null or not self_serve as live from tenants
      where tenant_id = $tenantId::int and deleted_at is null for no key update
   ), changed as (
     update tenants t
        set origins = case when a.live then $all::text[] else $local::text[] end,
            held_origins = case when a.live then '{}' else $open::text[] end
       from asked a
      where t.tenant_id = $tenantId::int and (a.live or $hold::boolean or cardinality($open::text[]) = 0)
     returning t.origins, t.held_origins
   )
   select a.live as "isLive", c.origins is not null as written, coalesce(c.origins, '{}') as origins,
          coalesce(c.held_origins, '{}') as held
     from asked a left join changed c on true`,
  { guest: { tenants: 'origins and brand stand in `tenants`, because every request reads it' } },
)

export type BrandRow = { color: string | null; logo: string | null }

export const readBrand = statement<BrandRow, { tenantId: number }>(
  'embed.read_brand',
  'select brand_color as color, brand_logo as logo from tenants where tenant_id = $tenantId::int and deleted_at is null',
)

export const writeBrand = statement<
  BrandRow,
  { tenantId: number; setsColor: boolean; color: string | null; setsLogo: boolean; logo: string | null }
>(
  'embed.write_brand',
  `update tenants
      set brand_color = case when $setsColor::boolean then $color::text else brand_color end,
          brand_logo = case when $setsLogo::boolean then $logo::text else brand_logo end
    where tenant_id = $tenantId::int and deleted_at is null
   returning brand_color as color, brand_logo as logo`,
  { guest: { tenants: 'origins and brand stand in `tenants`, because every request reads it' } },
)
