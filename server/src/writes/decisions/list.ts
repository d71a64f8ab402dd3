import type { ActionState } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import { type Context, personOfCredential } from '../../tenancy/context/index.ts'
import { isSameBase } from '../../tools/calls/index.ts'
import {
  type ActionRooms,
  type ActionRow,
  findAction,
  judgedAction,
  storedArguments,
  writeOf,
} from '../actions/index.ts'
import { type Outlook, outlookFor } from '../approvals/index.ts'
import { HASH_VERSION } from '../writes/index.ts'
import * as sql from './queries.ts'

type PageInput = {
  readonly tool: string | null
  readonly scopeId: number | null
  /** The last action of the page before. */
  readonly before: string | null
  readonly limit: number
}
type ListInput = PageInput & { readonly states: readonly ActionState[] }
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

/** For how many more people an action waits that the caller has approved; null where a yes of theirs is still asked for. */
export const waitsForOthers = ({ caller, callerApproved }: Outlook): number | null =>
  callerApproved && caller?.ok === true && caller.received < caller.required ? caller.required - caller.received : null

/** Which of these actions wait for others, after the yes of the caller, and for how many. */
export async function alreadyApproved(
  ctx: Context,
  { catalogs }: Pick<ActionRooms, 'catalogs'>,
  actions: readonly ActionRow[],
): Promise<ReadonlyMap<string, number>> {
  const { tenantId, actor } = ctx.asking
  if (actor.userId === null || actions.length === 0) return new Map()
  const actionIds = actions.map(({ actionId }) => actionId)
  const rows = await ctx.db.rows(sql.approvedAmong, {
    tenantId,
    actionIds,
    userId: actor.userId,
    personId: personOfCredential(actor),
  })
  const approved = new Set(rows.map(({ actionId }) => actionId))
  const mine = actions.filter(({ actionId }) => approved.has(actionId))
  if (mine.length === 0) return new Map()
  const catalog = await catalogs.of(ctx)
  const waits = await Promise.all(
    mine.map(async (action) => {
      const judged = judgedAction(action, writeOf(catalog, action), storedArguments(action))
      return [action.actionId, waitsForOthers(await outlookFor(ctx, judged))] as const
    }),
  )
  return new Map(waits.flatMap(([actionId, more]) => (more === null ? [] : [[actionId, more]])))
}

/**
 * Which of these waiting actions can no longer be approved because of where they would go. A list reads only the stored address: it
 * would have to hash the arguments of each action to find one whose tool sends another request. A confirm and the card find that one.
 */
export async function changedAmong(
  ctx: Context,
  { calls, catalogs }: Pick<ActionRooms, 'calls' | 'catalogs'>,
  actions: readonly ActionRow[],
): Promise<ReadonlySet<string>> {
  const catalog = await catalogs.of(ctx)
  // The address of an MCP server is read from the database, once for each of its tools.
  const addresses = new Map<string, Promise<string | null>>()
  const changed = await Promise.all(
    actions.map(async (action) => {
      const tool = writeOf(catalog, action)
      if (action.hashVersion !== HASH_VERSION) return [action.actionId]
      if (tool === undefined) return []
      const address = addresses.get(tool.name) ?? calls.addressOf(ctx, tool)
      addresses.set(tool.name, address)
      return isSameBase(tool, action.stagedFor, await address) ? [] : [action.actionId]
    }),
  )
  return new Set(changed.flat())
}
