import type { ConfigurationPart } from '@tether/contract'
import type { Json } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'

/** What the provider's own workspace has of a part; or why nothing of it can go to a business. */
export type PartRead = { readonly value: Json } | { readonly error: string }

export type Placed =
  | { readonly status: 'applied' | 'unchanged' }
  | { readonly status: 'refused'; readonly error: string }

/** One part of a configuration. What it does in a business is done by the verbs of the room that it belongs to. */
export type Part = {
  /** In the provider's workspace. */
  read(ctx: Context): Promise<PartRead>
  /** Looks outside the process, which nobody may do inside of a transaction. It throws a refusal. */
  check?(ctx: Pick<Context, 'egress'>, value: Json): Promise<void>
  /** In a business, inside of a transaction. Where it throws or refuses, nothing was changed. */
  place(ctx: Context, value: Json): Promise<Placed>
}

export type Parts = Readonly<Record<ConfigurationPart, Part>>

export const UNCHANGED: Placed = { status: 'unchanged' }
export const APPLIED: Placed = { status: 'applied' }

export const nothingToCopy = (what: string, how: string): PartRead => ({
  error: `Your own workspace has no ${what} that could be copied. ${how}, then push again. Nothing is deleted by a push.`,
})
