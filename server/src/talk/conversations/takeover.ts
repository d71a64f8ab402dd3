import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import * as sql from './queries.ts'

export type TakeoverState = {
  readonly takenOver: boolean
  readonly takenOverUntil: Date | null
  /** Null while the assistant answers. */
  readonly takenOverBy: { readonly name: string } | null
}

const FREE: TakeoverState = { takenOver: false, takenOverUntil: null, takenOverBy: null }

/** Where nobody was named, the business itself has taken over. */
export const takeoverFrom = (
  { asking }: Context,
  { takenOverUntil, takenOverByName }: sql.TakeoverRow,
): TakeoverState =>
  takenOverUntil === null
    ? FREE
    : { takenOver: true, takenOverUntil, takenOverBy: { name: takenOverByName ?? asking.tenantName } }

export const takeoverSeconds = ({ settings }: Context): number => settings.ai.chat.takeoverMinutes * 60

type Input = { readonly sessionId: string; readonly userId: number | null }

/** From now on the assistant is silent, until a person releases the conversation or nobody has written for a while. */
export async function takeOver(ctx: Context, { sessionId, userId }: Input): Promise<TakeoverState> {
  const { tenantId } = ctx.asking
  const row = await ctx.db.one(sql.takeOver, { tenantId, sessionId, userId, seconds: takeoverSeconds(ctx) })
  if (row === undefined) throw await whyNot(ctx, { sessionId, userId })
  return takeoverFrom(ctx, row)
}

/** The assistant answers again. Whoever took over, anybody at the business may release. */
export async function release({ db, asking: { tenantId } }: Context, sessionId: string): Promise<TakeoverState> {
  if ((await db.one(sql.release, { tenantId, sessionId })) === undefined) throw noConversation()
  return FREE
}

/** Why a statement that needs a conversation and, where one is named, a person found no row. */
export async function whyNot({ db, asking: { tenantId } }: Context, { sessionId, userId }: Input): Promise<Error> {
  const isThere = (await db.one(sql.findTakeover, { tenantId, sessionId })) !== undefined
  return isThere && userId !== null ? noPerson(userId) : noConversation()
}

export const noConversation = () => refuse('session_not_found', 'There is no such conversation. Check its id.')

const noPerson = (userId: number) =>
  refuse(
    'user_not_found',
    `No active person of this workspace has the userId ${userId}. Register them with PUT /v1/users, or leave \`userId\` out.`,
  )
