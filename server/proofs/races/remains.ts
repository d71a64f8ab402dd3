// What a deleted tenant has left behind.
import type { TwoHouses } from './two-houses.ts'

/** The tables in which the tenant still has rows, beside its tombstone. */
export async function rowsLeft(houses: TwoHouses, tenantId: number): Promise<string[]> {
  const tables = await houses.rows<{ name: string }>(
    `select table_name::text as name from information_schema.columns
      where column_name = 'tenant_id' and table_schema = 'public' and table_name <> 'tenants' order by 1`,
  )
  if (tables.length < 2) throw new Error('The schema has no tables of tenants to look into.')
  const looks = tables.map(
    ({ name }) => `select '${name}' as name where exists (select from ${name} where tenant_id = $tenantId::int)`,
  )
  const found = await houses.rows<{ name: string }>(looks.join(' union all '), { tenantId })
  return found.map(({ name }) => name)
}

/** The columns of a tombstone that hold more than they do in a row that nobody has filled. */
export async function tombstoneHolds(houses: TwoHouses, tenantId: number): Promise<string[]> {
  const [tombstone] = await houses.rows<{ row: Record<string, unknown> }>(
    'select to_jsonb(t) as row from tenants t where tenant_id = $tenantId::int',
    { tenantId },
  )
  return Object.entries(tombstone?.row ?? { 'the tombstone itself': 'is missing' })
    .filter(([name, value]) => !KEPT.has(name) && !EMPTY.has(JSON.stringify(value)))
    .map(([name]) => name)
}

const KEPT = new Set(['tenant_id', 'deleted_at', 'created_at', 'email_hash'])
const EMPTY = new Set(['null', 'false', '[]', '0', '"free"', '"default"'])
