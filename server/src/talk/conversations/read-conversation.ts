import type { Block, CalledTool, Handoff, ResultPath } from '@tether/contract'
import type { Context } from '../../tenancy/context/index.ts'
import { type Place, placeFrom } from './list-conversations.ts'
import { type Message, messageFrom } from './messages.ts'
import { noConversation, type TakeoverState, takeoverFrom } from './takeover.ts'
import * as sql from './transcript-queries.ts'

export type Proposed = Omit<sql.ProposalRow, 'requestId'>

export type Turn = {
  readonly requestId: string
  readonly at: Date
  readonly prompt: string
  readonly blocks: readonly Block[]
  readonly toolCalls: readonly CalledTool[]
  readonly proposals: readonly Proposed[]
  readonly rating: { readonly rating: 'up' | 'down'; readonly comment: string | null; readonly at: Date } | null
  readonly handoffs: readonly HandedOff[]
  readonly resultPath: ResultPath
  readonly takenOver: boolean
}
type HandedOff = {
  readonly trigger: Handoff['trigger'] | 'unverified_outcome'
  readonly reason: string | null
  readonly summary: string
}

export type Transcript = Omit<sql.ConversationRow, 'turns'> &
  TakeoverState & {
    readonly turns: readonly Turn[]
    readonly messages: readonly Message[]
    readonly nextBefore: string | null
  }

/** A page of a transcript may be no larger. */
export const MOST_BYTES = 4 * 1024 * 1024
const MOST_PROPOSALS = 500
const MOST_MESSAGES = 200

type ReadInput = { readonly sessionId: string; readonly before: string | undefined; readonly limit: number }

/** One conversation with its latest turns, the oldest first, and what became of what they proposed. */
export async function readConversation(ctx: Context, input: ReadInput): Promise<Transcript> {
  const { db, asking } = ctx
  const { sessionId, limit: most } = input
  const before = placeFrom(input.before)
  const of = { tenantId: asking.tenantId, sessionId }
  const found = await db.one(sql.findConversation, of)
  if (found === undefined) throw noConversation()
  const page = { beforeAt: before.at, beforeId: before.id }
  const latest = await db.rows(sql.listTurns, { ...of, ...page, most, mostBytes: MOST_BYTES })
  const oldest = latest.at(-1)
  const olderTurns = oldest?.hasMore === true ? oldest.place : null
  const { messages, nextBefore } = await writtenBeside(ctx, sessionId, { before, olderTurns })
  const rows = latest.filter((row) => nextBefore === null || row.place >= nextBefore)
  const proposals = turnOfEach(await db.rows(sql.listProposals, { ...of, limit: MOST_PROPOSALS }))
  const { takenOverUntil, takenOverByName, turns: _, ...heading } = found
  return {
    ...heading,
    ...takeoverFrom(ctx, { takenOverUntil, takenOverByName }),
    turns: turnsFrom(rows.toReversed(), proposals),
    messages,
    nextBefore,
  }
}

/**
 * What people wrote beside a page of turns, the oldest first. Where they wrote more than a page holds, the page begins later, and the
 * turns before that stand on the next one, so that nothing is left out.
 */
async function writtenBeside(
  ctx: Context,
  sessionId: string,
  { before, olderTurns }: { readonly before: Place; readonly olderTurns: string | null },
): Promise<{ messages: readonly Message[]; nextBefore: string | null }> {
  const since = placeFrom(olderTurns ?? undefined)
  const rows = await ctx.db.rows(sql.listWritten, {
    tenantId: ctx.asking.tenantId,
    sessionId,
    sinceAt: since.at,
    sinceId: since.id,
    beforeAt: before.at,
    beforeId: before.id,
    limit: MOST_MESSAGES + 1,
  })
  const shown = rows.slice(0, MOST_MESSAGES)
  const nextBefore = rows.length > MOST_MESSAGES ? (shown.at(-1)?.place ?? null) : olderTurns
  return { messages: shown.toReversed().map((row) => messageFrom(ctx, row)), nextBefore }
}

/** A proposal that took the place of another belongs to the turn of that one. */
function turnOfEach(newestFirst: readonly sql.ProposalRow[]): readonly sql.ProposalRow[] {
  const turns = new Map<string, string | null>()
  return newestFirst.toReversed().map((row) => {
    const requestId = row.requestId ?? (row.replaces === null ? null : (turns.get(row.replaces) ?? null))
    turns.set(row.actionId, requestId)
    return { ...row, requestId }
  })
}

/** What a turn proposed that was stopped before its answer stands with the turn before it, so that nothing is left out. */
function turnsFrom(rows: readonly sql.TurnRow[], proposals: readonly sql.ProposalRow[]): Turn[] {
  const shown = new Set(rows.map(({ requestId }) => requestId))
  return rows.map((row, at) => {
    const next = rows[at + 1]
    const isOf = ({ requestId, createdAt }: sql.ProposalRow): boolean =>
      requestId !== null && shown.has(requestId)
        ? requestId === row.requestId
        : createdAt >= row.at && (next === undefined || createdAt < next.at)
    return turnFrom(row, proposals.filter(isOf))
  })
}

function turnFrom(row: sql.TurnRow, proposals: readonly sql.ProposalRow[]): Turn {
  const { requestId, at, prompt, resultPath, takenOver, rating, comment, ratedAt } = row
  return {
    requestId,
    at,
    prompt,
    blocks: kept<readonly Block[]>(row.blocks) ?? [{ type: 'text', markdown: row.reply }],
    toolCalls: kept<readonly CalledTool[]>(row.toolCalls) ?? [],
    proposals: proposals.map(({ requestId: _, ...proposal }) => proposal),
    rating: rating === null || ratedAt === null ? null : { rating, comment, at: ratedAt },
    handoffs: [kept<Handoff>(row.handoff) ?? [], proposals.flatMap(unseen)].flat(),
    resultPath,
    takenOver,
  }
}

/** The check of a write that did not show its effect calls for a person, too. */
const unseen = ({ verificationStatus, verificationReason, summary }: sql.ProposalRow): HandedOff[] =>
  verificationStatus === 'unverified' ? [{ trigger: 'unverified_outcome', reason: verificationReason, summary }] : []

/** The cast is true because `chat.keep_exchange` wrote it, and nothing else does. */
const kept = <Kept>(json: string | null): Kept | null => (json === null ? null : (JSON.parse(json) as Kept))
