import { statement } from '../../foundation/db/index.ts'

export type BrandRow = { color: string | null; logo: string | null }

export const readBrand = statement<BrandRow, [tenantId: number]>(
  'embed.read_brand',
  'select color, logo from brands where tenant_id = $1::int',
)

/** A flag beside a value tells "leave it" from "clear it". The tenant is held, so that a deletion leaves nothing behind. */
export const writeBrand = statement<
  BrandRow,
  [tenantId: number, setColor: boolean, color: string | null, setLogo: boolean, logo: string | null]
>(
  'embed.write_brand',
  `with held as (
     select tenant_id from tenants where tenant_id = $1::int and deleted_at is null for key share
   )
   insert into brands (tenant_id, color, logo)
   select tenant_id, $3::text, $5::text from held
   on conflict (tenant_id) do update
      set color = case when $2::boolean then excluded.color else brands.color end,
          logo = case when $4::boolean then excluded.logo else brands.logo end
   returning color, logo`,
)
