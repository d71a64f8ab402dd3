// An import in another workspace of the same provider: where its API is, and never with what it is called.
import type { RepositorySource, UserTokenMode } from '@tether/contract'
import type { Context } from '../../tenancy/context/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import { findImport, type ImportToSave, saveImport } from './queries.ts'

/** What may be copied of an import: no credential is a part of it. */
export type CopiedImport = {
  readonly baseUrl: string
  readonly userToken: UserTokenMode
  readonly source: RepositorySource | null
  readonly toolCount: number
}

export async function readImport({ db, asking }: Context): Promise<CopiedImport | null> {
  const row = await db.one(findImport, { tenantId: asking.tenantId })
  if (row === undefined) return null
  const { baseUrl, userToken, source, toolCount } = row
  return { baseUrl, userToken, source, toolCount }
}

/** A credential that the workspace has for another host is dropped, as it is by an import of its own. */
export async function placeImport(ctx: Context, { source, ...copied }: CopiedImport): Promise<void> {
  await savedImport(ctx, {
    tenantId: ctx.asking.tenantId,
    ...copied,
    setCredential: false,
    credential: null,
    source: source === null ? null : JSON.stringify(source),
  })
}

/** Of two first imports at the same moment, the second finds that of the first when it asks again. */
export async function savedImport({ db }: Pick<Context, 'db'>, values: ImportToSave) {
  const saved = (await db.one(saveImport, values)) ?? (await db.one(saveImport, values))
  if (saved === undefined) throw noTenant()
  return saved
}
