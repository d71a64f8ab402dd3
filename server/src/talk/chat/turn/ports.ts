import type { FrameCode, Language, ResultPath, Source } from '@tether/contract'
import type { Model, ModelUsage, Price } from '../../../kernel/model/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'

// What a turn needs from others. Each port has one real implementation, and tests have simple ones.

/** A plan's model, with its price. */
export type ChosenModel = { readonly model: Model; readonly name: string; readonly price: Price }
export type ModelsByPlan = { of(plan: string): ChosenModel; close?(): Promise<void> }

export type Passage = {
  readonly source: Source
  /** What stands above the text in its document. */
  readonly heading?: string | null
  readonly text: string
  /** How well it fits, in (0, 1]: the share of the question that it holds, or how near it is by what it means. */
  readonly score?: number
}
/** Finds texts of the business that may answer the question. */
export type Retrieval = {
  /** Begins to read what `find` will look through, so that a turn does not wait for it. It never fails. */
  warm?(ctx: Context): void
  find(
    ctx: Context,
    query: { readonly text: string; readonly language: Language },
    signal: AbortSignal,
  ): Promise<readonly Passage[]>
}

/** Finds out by the words of the workspace what a question is about: the domains of tools, the likeliest first. */
export type Vocabulary = { domainsIn(ctx: Context, question: string): Promise<readonly string[]> }

/** Returns the principle that forbids an answer to the prompt, or null. It runs before anything is spent. */
export type Moderation = { principleAgainst(ctx: Context, prompt: string, signal: AbortSignal): Promise<string | null> }

/** A sandbox answers while it lives, and so often. Both throw a refusal; the second takes one of its questions. */
export type Sandboxes = { ready(ctx: Context): Promise<void>; admit(ctx: Context): Promise<void> }

export type { BudgetCode, Spending } from '../../../tenancy/usage/index.ts'

/** What we record of a turn once it has ended, without a word of its text. */
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
