import type { Settings } from '../../settings/index.ts'

export type Batch<Row> = { readonly tenantIds: readonly number[]; readonly rows: readonly Row[] }

/**
 * What one statement writes at once: the rows of all tenants, or, where the tables are divided by tenant, those of one, because a
 * statement cannot lock rows on several nodes. There is no batch without rows.
 */
export function batchesOf<Row extends { readonly tenantId: number }>(
  rows: readonly Row[],
  { database }: Pick<Settings, 'database'>,
): readonly Batch<Row>[] {
  const ofTenants = Map.groupBy(rows, ({ tenantId }) => tenantId)
  if (database.dividedByTenant) return [...ofTenants].map(([tenantId, own]) => ({ tenantIds: [tenantId], rows: own }))
  return rows.length === 0 ? [] : [{ tenantIds: [...ofTenants.keys()], rows }]
}
