import type { ChatAnswer, ChatFrame, Handoff, Language } from '@tether/contract'
import type { JsonObject } from '../../../foundation/json/index.ts'
import type { Picture } from '../../../foundation/model/index.ts'
import type { Context } from '../../../ground/context/index.ts'
import type { Staged, StageInput } from '../../actions/index.ts'
import type { Calls } from '../../calls/index.ts'
import type { Catalog, Tool } from '../../catalog/index.ts'
import type { Offering, Surface } from './offer.ts'
import type { ChosenModel, Moderation, Retrieval, Spending, TurnRecord } from './ports.ts'

/** What was said before in this conversation, as far as the model is told. */
export type History = {
  readonly summary: string | null
  readonly exchanges: readonly { readonly prompt: string; readonly reply: string }[]
  readonly usedTools: readonly string[]
}
export const noHistory: History = { summary: null, exchanges: [], usedTools: [] }

export type TurnLimits = {
  /** In how many rounds tools may be called. One more, without any, is for the answer. */
  readonly rounds: number
  readonly maxOutputTokens: number
  readonly concurrentTools: number
  readonly toolResultChars: number
}

/** One turn, frozen when it begins: nothing that a model says changes any of it. */
export type Turn = {
  readonly ctx: Context
  readonly requestId: string
  /** Null for a turn that keeps no conversation. */
  readonly sessionId: string | null
  readonly surface: Surface
  /** The route that it came through. */
  readonly source: string
  readonly prompt: string
  readonly pictures: readonly Picture[]
  readonly language: Language
  readonly isDeep: boolean
  /** The caller's own frame for the turn, beside the prompt. */
  readonly instructions: string | null
  readonly catalog: Catalog
  readonly offering: Offering
  readonly history: History
  readonly model: ChosenModel
  readonly limits: TurnLimits
}

export type TurnParts = {
  readonly read: Calls['read']
  /** Telemetry of what was asked for and neither called nor staged. */
  readonly note: Calls['note']
  stage(ctx: Context, input: StageInput): Promise<Staged>
  /** Who is given the token that confirms such a write. */
  tokenFor(ctx: Context, tool: Tool, given: JsonObject): Promise<'caller' | 'customer' | 'nobody'>
  handOver(
    ctx: Context,
    input: { readonly sessionId: string | null; readonly requestId: string; readonly handoff: Handoff },
  ): Promise<void>
  readonly retrieval: Retrieval
  readonly moderation: Moderation
  readonly spending: Spending
  /** Keeps what was said. Called once, before the turn's last frame, and only for a turn that a visitor may rate. */
  keep(turn: Turn, kept: Kept): Promise<void>
  /** Called once, however the turn ends. */
  record(record: TurnRecord): void
  /** Something of ours failed: logged, and its id given to the caller. */
  failed(error: unknown): string
}

export type Kept = {
  readonly answer: ChatAnswer
  readonly said: string
  readonly usedTools: readonly string[]
  readonly answered: boolean
}

/** The last frame, and what a caller without a stream is told instead of it. */
export type Ending = {
  readonly frame: Extract<ChatFrame, { type: 'complete' | 'error' }>
  /** What there is of an answer. */
  readonly answer: ChatAnswer
}
