import type { Call } from './call.ts'
import type { CallOf, ToolSpec } from './catalog.ts'

/** Answered by `recover` when it is certain that the write did not happen: it is performed then. */
export const notApplied = Symbol('not applied')

type Answer = unknown

/** A read: what it returns is the result. Nothing (undefined or null) means that there is no such thing. */
export type ReadTool<One = Call> = (call: One) => Answer

/** A write whose effect is anywhere: its key is claimed first, and answered afterwards. */
export type WriteTool<One = Call, Transaction = never> =
  | ((call: One) => Answer)
  | {
      perform(call: One): Answer
      /**
       * Asked instead of `perform` when whoever claimed this key died or broke before the answer was remembered. Find out under
       * `call.request_id` what became of it: return its answer, or `notApplied` when you are certain that it did not happen.
       */
      recover(call: One): Answer | typeof notApplied
    }
  /** A write whose effect is in the database that holds the claims: both are kept, or neither is. */
  | { transaction(call: One, transaction: Transaction): Answer }

/** Without a catalog any name may be a tool, and its arguments are not known. */
export type AnyTools<Transaction> = Readonly<Record<string, WriteTool<Call, Transaction>>>

/** With one, each of its tools and no other. */
export type ToolsOf<Catalog extends readonly ToolSpec[], Transaction> = {
  readonly [Name in Catalog[number]['name']]: ToolOf<Extract<Catalog[number], { readonly name: Name }>, Transaction>
}
type ToolOf<Spec, Transaction> = Spec extends { readonly is_write: true }
  ? WriteTool<CallOf<Spec>, Transaction>
  : ReadTool<CallOf<Spec>>

/** As it is used: by then the types of the arguments are the integrator's business. */
export type SomeTool = WriteTool<Call, unknown>
