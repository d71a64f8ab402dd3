import { readInstant, refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import * as sql from './transcript-queries.ts'

type ListInput = {
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

/** A place in a list: a moment with its microseconds, and the id of what stands there. */
export type Place = { readonly at: string | null; readonly id: string | null }

const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([a-z]{3}_[0-9a-z]{24,26})$/

/** It names its own place, so that it leads on where what stood there has been erased. */
export function placeFrom(before: string | undefined): Place {
  if (before === undefined) return { at: null, id: null }
  const [, at, id] = FORM.exec(before) ?? []
  // A Date reads no microseconds, but knows which days there are.
  if (at === undefined || id === undefined || Number.isNaN(Date.parse(at)))
    throw refuse('invalid_request', '`before` is not a place in this list. Send the `nextBefore` of a page.')
  return { at, id }
}
