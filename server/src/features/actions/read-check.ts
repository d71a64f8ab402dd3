import type { ToolStatus } from '@tether/contract'
import type { Json, JsonObject } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import type { Calls, OnBehalf } from '../calls/index.ts'
import { type Catalog, evaluateCheck, type ReadCheck, readArguments } from '../catalog/index.ts'

/** What a precondition or a verify found. `unreadable` says nothing about the world: the read itself did not succeed. */
export type Checked =
  | { readonly kind: 'holds'; readonly reason: string; readonly result: Json }
  | { readonly kind: 'fails'; readonly reason: string; readonly result: Json }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly status: ToolStatus }

export type Asked = {
  readonly check: ReadCheck
  readonly arguments: JsonObject
  readonly onBehalf: OnBehalf
  readonly sessionId: string | null
  readonly withinMs: number
}

/** Asks the catalog's own read, through the same signed calls as everything else, within a bound. */
export async function ask(ctx: Context, parts: { calls: Calls; catalog: Catalog }, asked: Asked): Promise<Checked> {
  const { check, arguments: given, onBehalf, sessionId, withinMs } = asked
  const tool = parts.catalog.find(check.tool)
  if (tool === undefined || tool.isWrite) {
    return {
      kind: 'unreadable',
      status: 'unknown_tool',
      reason: `The catalog has no read called "${check.tool}" any more.`,
    }
  }
  const input = { tool, arguments: readArguments(check, given), surface: 'check', onBehalf, sessionId }
  const read = await parts.calls.read(ctx, input, AbortSignal.timeout(withinMs))
  if (read.status !== 'ok') return { kind: 'unreadable', status: read.lastStatus ?? read.status, reason: read.message }
  const { holds, reason } = evaluateCheck(check.check, read.value, given)
  return { kind: holds ? 'holds' : 'fails', reason, result: read.value }
}
