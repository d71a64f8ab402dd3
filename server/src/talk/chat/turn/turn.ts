import type { ChatAnswer, ChatFrame, Language } from '@tether/contract'
import type { JsonObject } from '../../../kernel/json/index.ts'
import type { Picture } from '../../../kernel/model/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import type { Calls } from '../../../tools/calls/index.ts'
import type { Catalog, Tool } from '../../../tools/catalog/index.ts'
import type { Staged, StageInput } from '../../../writes/actions/index.ts'
import type { HandoffToTell } from '../../handoffs/index.ts'
import type { EarlierProposal, Withdrawal, WithdrawInput } from '../../proposals/index.ts'
import type { Offering, Surface } from './offer.ts'
import type { ChosenModel, Moderation, Retrieval, Spending, TurnRecord } from './ports.ts'

/** The earlier part of this conversation, as far as the model sees it. */
export type History = {
  readonly summary: string | null
  readonly exchanges: readonly { readonly prompt: string; readonly reply: string }[]
  readonly usedTools: readonly string[]
  readonly proposals: readonly EarlierProposal[]
  /** What a person at the business and the visitor said to each other, past the assistant. */
  readonly said: readonly { readonly by: string; readonly text: string }[]
}
export const noHistory: History = { summary: null, exchanges: [], usedTools: [], proposals: [], said: [] }

/** What somebody said before this turn, by the caller's own account. */
export type Earlier = { readonly by: string; readonly text: string }

/** What the visitor has asked so far, the latest first. */
export const promptsOf = ({ exchanges }: History): string[] => exchanges.map(({ prompt }) => prompt).toReversed()

type TurnLimits = {
  /** In how many rounds tools may be called. One more, without any, is for the answer. */
  readonly rounds: number
  readonly maxOutputTokens: number
  readonly concurrentTools: number
  readonly toolResultChars: number
  readonly argumentBytes: number
}

/** One turn, frozen when it begins, so that nothing that a model says can change it. */
export type Turn = {
  readonly ctx: Context
  readonly requestId: string
  /** Null if the turn keeps no conversation. */
  readonly sessionId: string | null
  readonly surface: Surface
  /** The route through which it came. */
  readonly source: string
  readonly prompt: string
  readonly pictures: readonly Picture[]
  readonly language: Language
  readonly isDeep: boolean
  /** The caller's own instructions for the turn, besides the prompt. */
  readonly instructions: string | null
  readonly earlier: readonly Earlier[]
  /** False if no answer of this turn holds the token of a write. */
  readonly mayHoldTokens: boolean
  readonly catalog: Catalog
  readonly offering: Offering
  /** What the question is about, by the words of the workspace. */
  readonly domain: string | null
  readonly history: History
  readonly model: ChosenModel
  readonly limits: TurnLimits
}

export type TurnParts = {
  readonly read: Calls['read']
  readonly faultOf: Calls['faultOf']
  /** Telemetry of what was asked for and neither called nor staged. */
  readonly note: Calls['note']
  stage(ctx: Context, input: StageInput): Promise<Staged>
  /** Decides who gets the token that confirms such a write. */
  tokenFor(ctx: Context, tool: Tool, given: JsonObject): Promise<'caller' | 'customer' | 'nobody'>
  /** Announces the handoff, once in a turn. True if the business has somewhere to hear of it. */
  handOver(ctx: Context, told: HandoffToTell): Promise<boolean>
  /** Takes back a proposal of this conversation. */
  withdraw(ctx: Context, input: WithdrawInput): Promise<Withdrawal>
  readonly retrieval: Retrieval
  readonly moderation: Moderation
  readonly spending: Spending
  /** Keeps the exchange. It is called once, before the turn's last frame, and only if a visitor may rate the turn. */
  keep(turn: Turn, kept: KeptExchange): Promise<void>
  /** Records the turn. It is called once, however the turn ends. */
  record(record: TurnRecord): void
  /** Logs a failure of ours and returns its id for the caller. */
  failed(error: unknown): string
}

export type KeptExchange = {
  readonly answer: ChatAnswer
  readonly ownWords: string
  readonly usedTools: readonly string[]
  readonly answered: boolean
}

/** The last frame, and the answer for a caller without a stream. */
export type Ending = {
  readonly frame: Extract<ChatFrame, { type: 'complete' | 'error' }>
  /** The answer so far. */
  readonly answer: ChatAnswer
}
