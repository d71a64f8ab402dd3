import type { ToolStatus } from '@tether/contract'
import { compareNumbers, isNumber, type Json, type JsonObject, member } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { runReadCheck } from '../../tools/calls/index.ts'
import { boundHolds, type Check, type Operator, readPath } from '../../tools/catalog/index.ts'
import type { ActionRooms } from '../actions/index.ts'
import { newestEvent } from '../audit/index.ts'
import type { Looked } from './look.ts'

/** What the record says now, by the read of the write's precondition. */
export type RecordNow =
  | {
      readonly kind: 'read'
      readonly holds: boolean
      /** Why it would not run; null where it would, or where no single value says so. */
      readonly short: FallsShort | null
      readonly reason: string
      readonly result: Json
    }
  | { readonly kind: 'unreadable'; readonly status: ToolStatus; readonly reason: string }

export type Records = {
  /** Null where the write has no precondition, or can no longer be made. */
  now(ctx: Context, looked: Looked): Promise<RecordNow | null>
}

const WITHIN_MS = 3_000
const KEPT_MS = 10_000
const MOST_KEPT = 1_000

type Kept = { readonly at: number; readonly newest: number; readonly record: Promise<RecordNow | null> }

/**
 * A card that several people open, or one person again, asks the tenant's server once in ten seconds. What was read before the
 * trail's newest event is read again, because that event may be a write that has changed the record, from another process too.
 */
export function openRecords(rooms: Pick<ActionRooms, 'calls' | 'catalogs'>): Records {
  const kept = new Map<string, Kept>()
  return {
    async now(ctx, looked) {
      if (looked.action.state !== 'pending' || (looked.tool?.precondition ?? null) === null) return null
      const newest = await newestEvent(ctx, ctx.asking.tenantId)
      const name = `${ctx.asking.tenantId} ${looked.action.actionId}`
      const at = ctx.clock.now()
      const known = kept.get(name)
      if (known !== undefined && known.newest === newest && at - known.at < KEPT_MS) return await known.record
      for (const [old, { at: since }] of kept) {
        if (kept.size < MOST_KEPT && at - since < KEPT_MS) break
        kept.delete(old)
      }
      kept.delete(name)
      const record = read(ctx, rooms, looked)
      kept.set(name, { at, newest, record })
      return await record
    },
  }
}

async function read(
  ctx: Context,
  { calls, catalogs }: Pick<ActionRooms, 'calls' | 'catalogs'>,
  { action, tool, given }: Looked,
): Promise<RecordNow | null> {
  const precondition = tool?.precondition ?? null
  if (precondition === null) return null
  const { scopeId, subject: customerId, sessionId } = action
  // Nobody decides by looking, so the read is made in nobody's name.
  const onBehalf = { scopeId, customerId, userId: null, userRole: ctx.asking.actor.role }
  const catalog = await catalogs.of(ctx)
  const check = { check: precondition, arguments: given, onBehalf, sessionId, withinMs: WITHIN_MS }
  const checked = await runReadCheck(ctx, { calls, catalog }, check)
  const { reason } = checked
  if (checked.kind === 'unreadable') return { kind: 'unreadable', status: checked.status, reason }
  const { kind, result } = checked
  const short = kind === 'holds' ? null : fallsShort(precondition.check, result, given)
  return { kind: 'read', holds: kind === 'holds', short, reason, result }
}

/** What keeps a check from holding, for whoever says it in words: null where that is no single value. */
export type FallsShort = {
  readonly path: readonly string[]
  /** Undefined where the record has nothing there. */
  readonly found: Json | undefined
  readonly wanted:
    | { readonly as: 'one_of'; readonly values: readonly Json[] }
    | { readonly as: Operator; readonly limit: Json }
}

/** Asked of a check that does not hold. */
function fallsShort({ path, test }: Check, result: Json, given: JsonObject): FallsShort | null {
  const found = readPath(result, path)
  const oneOf = (values: readonly Json[]): FallsShort => ({ path, found, wanted: { as: 'one_of', values } })
  switch (test.kind) {
    case 'equals':
      return oneOf([test.value])
    case 'in':
      return oneOf(test.values)
    case 'from': {
      const value = member(given, test.argument)
      return value === undefined ? null : oneOf([value])
    }
    case 'compare': {
      const bounds = test.bounds.map(({ operator, to }) => ({
        as: operator,
        limit: isNumber(to) ? to : member(given, to.from),
      }))
      const unmet = bounds.find(
        ({ as, limit }) => !isNumber(found) || !isNumber(limit) || !boundHolds[as](compareNumbers(found, limit)),
      )
      return unmet === undefined || !isNumber(unmet.limit)
        ? null
        : { path, found, wanted: { as: unmet.as, limit: unmet.limit } }
    }
  }
}
