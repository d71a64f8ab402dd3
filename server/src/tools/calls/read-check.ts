import type { ToolStatus } from '@tether/contract'
import type { Json, JsonObject } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import {
  argumentsFit,
  argumentsTooLarge,
  type Catalog,
  evaluateCheck,
  type ReadCheck,
  readArguments,
} from '../catalog/index.ts'
import type { MayBeNotFound } from './attempt.ts'
import type { Calls } from './calls.ts'
import type { OnBehalf } from './transport.ts'

/** What a precondition or a verify found. `unreadable` says nothing about the world: the read itself did not succeed. */
export type Checked = MayBeNotFound &
  (
    | { readonly kind: 'holds'; readonly reason: string; readonly result: Json }
    | { readonly kind: 'fails'; readonly reason: string; readonly result: Json }
    | { readonly kind: 'unreadable'; readonly reason: string; readonly status: ToolStatus }
  )

export type ReadCheckInput = {
  readonly check: ReadCheck
  /** The arguments of the write. */
  readonly arguments: JsonObject
  readonly onBehalf: OnBehalf
  readonly sessionId: string | null
  /** The limit for all attempts together. Without one, each attempt has the usual time of a read. */
  readonly withinMs?: number
}

/** Makes the read that the catalog names, through the same signed calls as every other, and checks its result. */
export async function runReadCheck(
  ctx: Context,
  { calls, catalog }: { readonly calls: Pick<Calls, 'read'>; readonly catalog: Catalog },
  input: ReadCheckInput,
): Promise<Checked> {
  const { check, arguments: given, onBehalf, sessionId, withinMs } = input
  const tool = catalog.find(check.tool)
  if (tool === undefined || tool.isWrite) {
    const reason = `The catalog no longer has a read called "${check.tool}".`
    return { kind: 'unreadable', status: 'unknown_tool', reason }
  }
  const asked = readArguments(check, given)
  const { maxArgumentBytes } = ctx.settings.toolTransport
  if (!argumentsFit(asked, maxArgumentBytes))
    return { kind: 'unreadable', status: 'failed', reason: argumentsTooLarge(maxArgumentBytes) }
  const reading = { tool, arguments: asked, surface: 'check', onBehalf, sessionId }
  const limit = withinMs === undefined ? new AbortController().signal : AbortSignal.timeout(withinMs)
  const read = await calls.read(ctx, reading, limit)
  const { notFound } = read
  if (read.status !== 'ok')
    return { kind: 'unreadable', status: read.lastStatus ?? read.status, reason: read.message, notFound }
  const { holds, reason } = evaluateCheck(check.check, read.value, given)
  return { kind: holds ? 'holds' : 'fails', reason, result: read.value, notFound }
}
