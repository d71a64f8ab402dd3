import type { Context } from '../../tenancy/context/index.ts'
import { mustBeEnabled, shown } from './ingest.ts'
import * as sql from './queries.ts'
import type { PreviewRooms } from './rooms.ts'

/** What is held of the site, and whether the assistant still answers from nothing else. */
export async function readPreview(ctx: Context, { catalogs }: Pick<PreviewRooms, 'catalogs'>) {
  mustBeEnabled(ctx)
  const [row, catalog] = await Promise.all([
    ctx.db.one(sql.readPreview, { tenantId: ctx.asking.tenantId }),
    catalogs.of(ctx),
  ])
  const preview =
    row === undefined
      ? null
      : { ...shown(row), topics: [...row.topics], crawledAt: row.crawledAt.toISOString(), refresh: refreshOf(row) }
  return { previewOnly: catalog.tools.length === 0, preview }
}

function refreshOf({ refreshedAt, refreshOutcome, refreshPages }: sql.PreviewRow) {
  if (refreshedAt === null || refreshOutcome === null) return null
  return { at: refreshedAt.toISOString(), outcome: refreshOutcome, pages: refreshPages }
}

export async function deletePreview(ctx: Context): Promise<{ deleted: boolean }> {
  mustBeEnabled(ctx)
  return { deleted: (await ctx.db.one(sql.deletePreview, { tenantId: ctx.asking.tenantId })) !== undefined }
}
