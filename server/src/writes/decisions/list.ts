import type { ActionState } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { type ActionRow, findAction } from '../actions/index.ts'
import * as sql from './queries.ts'

export type PageInput = {
  readonly tool: string | null
  readonly scopeId: number | null
  /** The last action of the page before. */
  readonly before: string | null
  readonly limit: number
}
export type ListInput = PageInput & { readonly states: readonly ActionState[] }
export type ActionPage = { readonly actions: readonly ActionRow[]; readonly nextBefore: string | null }

/** Arguments may be large, and a page of many such actions would take the memory of everybody. */
export const MOST_BYTES = 4 * 1024 * 1024

/** The newest first. The results of executed writes are left out: a page of them could be fifty megabytes. */
export async function listActions(ctx: Context, { limit, ...input }: ListInput): Promise<ActionPage> {
  const page = { tenantId: ctx.asking.tenantId, ...input, most: limit, mostBytes: MOST_BYTES }
  return await pageOf(ctx, await ctx.db.rows(sql.listActions, page), input.before)
}

/** What waits for a decision; what runs out first comes first. */
export async function listWaiting(ctx: Context, { limit, ...input }: PageInput): Promise<ActionPage> {
  const page = { tenantId: ctx.asking.tenantId, ...input, most: limit, mostBytes: MOST_BYTES }
  return await pageOf(ctx, await ctx.db.rows(sql.listWaiting, page), input.before)
}

async function pageOf(
  { db, asking }: Context,
  actions: readonly sql.ListedRow[],
  before: string | null,
): Promise<ActionPage> {
  const last = actions.at(-1)
  if (last !== undefined) return { actions, nextBefore: last.hasMore ? last.actionId : null }
  if (before !== null && (await db.one(findAction, { tenantId: asking.tenantId, actionId: before })) === undefined) {
    throw refuse('invalid_request', '`before` is not an action of this workspace. Send the `nextBefore` of a page.')
  }
  return { actions, nextBefore: null }
}

const MOST_COUNTED = 1_000

/** Who counts them sees at most a thousand. */
export async function waitingNow({
  db,
  asking,
}: Context): Promise<{ readonly count: number; readonly soonest: Date | null }> {
  const found = await db.one(sql.countWaiting, { tenantId: asking.tenantId, most: MOST_COUNTED })
  return found ?? { count: 0, soonest: null }
}
