import type { Context } from '../../tenancy/context/index.ts'
import { type CatalogRow, findCatalog } from './queries.ts'

/** The catalog as it was registered; `tools` is the tenant's own JSON text. Null before the first registration. */
export async function readCatalog({ db, asking }: Context): Promise<CatalogRow | null> {
  const { tenantId, wiring } = asking
  return (await db.one(findCatalog, { tenantId, version: wiring.catalogVersion })) ?? null
}
