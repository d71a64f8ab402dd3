import type { Context, House } from '../../tenancy/context/index.ts'
import { noTenant, unconfirmed } from '../../tenancy/tenants/index.ts'
import { isLocal, readOriginList } from './origin.ts'
import * as sql from './queries.ts'

export async function readOriginRow({ db }: Pick<House, 'db'>, tenantId: number): Promise<sql.OriginRow> {
  const row = await db.one(sql.readOrigins, { tenantId })
  if (row === undefined) throw noTenant()
  return row
}

export const readOrigins = (ctx: Context): Promise<sql.OriginRow> => readOriginRow(ctx, ctx.asking.tenantId)

type OriginsInput = { readonly origins: readonly string[]; readonly holdUntilConfirmed?: boolean | undefined }

/** Replaces both lists. If nobody has confirmed the workspace's address, a public origin is held or refused. */
export async function writeOrigins({ db, asking }: Context, { origins, holdUntilConfirmed = false }: OriginsInput) {
  const all = readOriginList(origins)
  const local = all.filter(isLocal)
  const open = all.filter((origin) => !isLocal(origin))
  const row = await db.one(sql.writeOrigins, { tenantId: asking.tenantId, all, local, open, hold: holdUntilConfirmed })
  if (row === undefined) throw noTenant()
  if (!row.written) throw unconfirmed('public_origin')
  const { held } = row
  return { origins: row.origins, held, ...(held.length > 0 ? { reason: 'public_origin' as const } : {}) }
}
