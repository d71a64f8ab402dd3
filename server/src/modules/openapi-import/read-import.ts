import type { ImportShown } from '@tether/contract'
import type { z } from 'zod'
import type { Context } from '../../tenancy/context/index.ts'
import type { ImportedApi } from '../../tools/calls/index.ts'
import { openCredential } from './credential.ts'
import { findImport } from './queries.ts'

/** The last import, as the catalog shows it. */
export async function importOf({ db, asking }: Context): Promise<z.input<typeof ImportShown> | null> {
  const row = await db.one(findImport, { tenantId: asking.tenantId })
  if (row === undefined) return null
  const { baseUrl, toolCount, importedAt, source } = row
  return { baseUrl, toolCount, importedAt: importedAt.toISOString(), source }
}

/**
 * What a direct call needs, read with each call: a changed credential or mode counts from the next one.
 * @throws SecretUnreadable
 */
export async function importedApiOf(ctx: Context): Promise<ImportedApi | null> {
  const row = await ctx.db.one(findImport, { tenantId: ctx.asking.tenantId })
  if (row === undefined) return null
  return { baseUrl: row.baseUrl, userToken: row.userToken, credential: openCredential(ctx, row.credential) }
}
