import type { FrameCode, Language, ResultPath, Source } from '@tether/contract'
import type { Model, ModelUsage, Price } from '../../../foundation/model/index.ts'
import type { Context } from '../../../ground/context/index.ts'

// What a turn needs from others. Each has one real maker behind it, and stands still in a test.

/** The model of a plan, with what it costs. */
export type ChosenModel = { readonly model: Model; readonly name: string; readonly price: Price }
export type ModelsByPlan = { of(plan: string): ChosenModel; close?(): Promise<void> }

export type Passage = { readonly source: Source; readonly text: string }
/** What the business has written that may answer this. */
export type Retrieval = {
  find(
    ctx: Context,
    query: { readonly text: string; readonly language: Language },
    signal: AbortSignal,
  ): Promise<readonly Passage[]>
}

/** Whether a prompt may be answered at all: the principle that forbids it, or null. Looked at before anything is spent. */
export type Moderation = { judge(ctx: Context, prompt: string, signal: AbortSignal): Promise<string | null> }

export type BudgetCode = Extract<FrameCode, `${string}_BUDGET_EXCEEDED`>
export type Reserved =
  | { readonly ok: true; readonly holdId: string | null }
  | { readonly ok: false; readonly code: BudgetCode }

/** One turn's money: asked before each round, told after it. What is told is never lost, and telling never waits. */
export type Spending = {
  reserve(estimate: ModelUsage): Promise<Reserved>
  settle(round: { readonly holdId: string | null; readonly usage: ModelUsage }): void
}

/** What is known of a turn once it has ended; no word of what was said. */
export type TurnRecord = {
  readonly resultPath: ResultPath
  readonly errorCode: FrameCode | null
  readonly rounds: number
  readonly toolCalls: number
  readonly proposals: number
  readonly handedOff: boolean
  readonly answered: boolean
  readonly preview: boolean
  readonly usage: ModelUsage
  readonly durationMs: number
  readonly firstTextMs: number | null
}
