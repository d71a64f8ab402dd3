import { readInstant, refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { placeFrom } from './place.ts'
import * as sql from './transcript-queries.ts'

export type ListInput = {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly handedOff: boolean | null
  readonly rating: 'up' | 'down' | null
  readonly customerId: string | null
  /** The `nextBefore` of the page before. */
  readonly before: string | undefined
  readonly limit: number
}
export type ConversationPage = {
  readonly conversations: readonly sql.ConversationRow[]
  readonly nextBefore: string | null
}

/** The conversations of the workspace; the one that began last comes first. */
export async function conversationsOf(ctx: Context, { limit, ...input }: ListInput): Promise<ConversationPage> {
  const { from = null, to = null } = { from: readInstant('from', input.from), to: readInstant('to', input.to) }
  if (from !== null && to !== null && to < from)
    throw refuse('invalid_period', '`to` is earlier than `from`. Swap them, or leave one out.')
  const { at: beforeAt, id: beforeId } = placeFrom(input.before)
  const { handedOff, rating, customerId } = input
  const { tenantId } = ctx.asking
  const page = { tenantId, from, to, handedOff, beforeAt, beforeId, limit: limit + 1 }
  const rows =
    customerId !== null
      ? await ctx.db.rows(sql.listOfCustomer, { ...page, customerId, rating })
      : rating !== null
        ? await ctx.db.rows(sql.listRated, { ...page, rating })
        : await ctx.db.rows(sql.listConversations, page)
  const conversations = rows.slice(0, limit).map(({ place: _, ...row }) => row)
  return { conversations, nextBefore: rows.length > limit ? (rows[limit - 1]?.place ?? null) : null }
}
