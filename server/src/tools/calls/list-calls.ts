import * as contract from '@tether/contract'
import type { z } from 'zod'
import type { Context } from '../../tenancy/context/index.ts'
import { listCalls } from './queries.ts'

/** What is kept of calls, newest first: how each ended and how long it took, and never what it was given or answered. */
export async function callsOf(
  ctx: Context,
  query: z.output<typeof contract.CallsQuery>,
): Promise<z.output<typeof contract.CallRecords>> {
  const { tool = null, status = null, before = null } = query
  const limit = contract.clampLimit(query.limit, contract.CALLS_PAGE.most, contract.CALLS_PAGE.preset)
  // One more than asked for shows whether anything follows.
  const { tenantId } = ctx.asking
  const rows = await ctx.db.rows(listCalls, { tenantId, tool, status, before, limit: limit + 1 })
  const calls = rows.slice(0, limit).map((row) => ({ ...row, at: row.at.toISOString() }))
  return { calls, count: calls.length, nextBefore: rows.length > limit ? (calls.at(-1)?.callId ?? null) : null }
}
