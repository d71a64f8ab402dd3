import type { ActionState } from '@tether/contract'
import { refuse } from '../../foundation/http/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { type ActionRow, findAction } from '../actions/index.ts'
import * as sql from './queries.ts'

export type ListInput = {
  readonly states: readonly ActionState[]
  readonly tool: string | null
  readonly scopeId: number | null
  /** The last action of the page before. */
  readonly before: string | null
  readonly limit: number
  /** What runs out first, instead of the newest. */
  readonly soonestFirst?: boolean
}
export type ActionPage = { readonly actions: readonly ActionRow[]; readonly nextBefore: string | null }

/** Arguments may be large, and a page of many such actions would take the memory of everybody. */
export const MOST_BYTES = 4 * 1024 * 1024

/** The newest first, unless asked otherwise. The results of executed writes are left out: a page of them could be fifty megabytes. */
export async function listActions(
  { db, asking }: Context,
  { limit, soonestFirst = false, ...input }: ListInput,
): Promise<ActionPage> {
  const { tenantId } = asking
  const actions = await db.rows(soonestFirst ? sql.listSoonest : sql.listActions, {
    tenantId,
    ...input,
    most: limit,
    mostBytes: MOST_BYTES,
  })
  const last = actions.at(-1)
  if (last !== undefined) return { actions, nextBefore: last.hasMore ? last.actionId : null }
  const { before } = input
  if (before !== null && (await db.one(findAction, { tenantId, actionId: before })) === undefined) {
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
