import type { SandboxStatus } from '@tether/contract'
import type { Queries } from '../../../kernel/db/index.ts'
import { refuse } from '../../../kernel/http/index.ts'
import type { Context, House } from '../../../tenancy/context/index.ts'
import { brandOf } from '../ingest.ts'
import * as sql from './queries.ts'

export const expired = () =>
  refuse(
    'sandbox_expired',
    'This sandbox has ended, or has been kept as a workspace. Open another one, or use its key.',
  )

export async function findSandbox({ db }: { readonly db: Queries }, tenantId: number): Promise<sql.SandboxRow> {
  const row = await db.one(sql.readSandbox, { tenantId })
  if (row === undefined) throw expired()
  return row
}

export async function readStatus(ctx: Context): Promise<SandboxStatus> {
  return statusOf(ctx.settings, await findSandbox(ctx, ctx.asking.tenantId))
}

const LAPSED = 'The reading of the site ended unexpectedly. Open another sandbox.'

/** Of a sandbox that has ended nothing is told that was read for it. */
export function statusOf({ previewSandbox }: House['settings'], row: sql.SandboxRow): SandboxStatus {
  const { isOver, isLapsed, expiresAt } = row
  if (isOver) return { ...NOTHING, state: 'expired', turnsLeft: 0, expiresAt: expiresAt.toISOString() }
  return {
    state: isLapsed ? 'failed' : row.state,
    pagesRead: row.pagesRead,
    chunks: row.chunks ?? 0,
    topics: row.topics ?? [],
    name: row.name,
    items: row.items ?? 0,
    brand: brandOf(row),
    turnsLeft: Math.max(0, previewSandbox.maxTurnsPerSandbox - row.turnsUsed),
    expiresAt: expiresAt.toISOString(),
    error: isLapsed ? LAPSED : row.error,
    errorCode: row.errorCode,
  }
}

const NOTHING = {
  pagesRead: 0,
  chunks: 0,
  topics: [],
  name: null,
  items: 0,
  brand: null,
  error: null,
  errorCode: null,
}
