import { newId } from '../../../kernel/ids/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { type Calls, type Checked, type ReadCheckInput, runReadCheck } from '../../../tools/calls/index.ts'
import type { Catalog, Tool } from '../../../tools/catalog/index.ts'
import { type Conclusion, concluded } from '../conclusion.ts'
import { breakPrecondition } from '../deciding-queries.ts'
import { note } from '../queries.ts'
import type { ActionRooms } from '../rooms.ts'
import type { Authority } from './approver.ts'
import { lostClaim, standingOf } from './claim.ts'
import { causedBy, type Execution, onBehalfOfAction } from './handler.ts'

/** A precondition that does not hold, or that could not be read. */
export type Unmet = {
  readonly kind: 'precondition_failed' | 'precondition_error'
  readonly checked: Checked
  readonly tool: Tool
}

/** Null where the tool declares no precondition, or it holds. */
export async function unmetPrecondition(
  ctx: Context,
  calls: Pick<Calls, 'read'>,
  catalog: Catalog,
  { tool, ...input }: Omit<ReadCheckInput, 'check'> & { readonly tool: Tool },
): Promise<Unmet | null> {
  if (tool.precondition === null) return null
  const checked = await runReadCheck(ctx, { calls, catalog }, { ...input, check: tool.precondition })
  if (checked.kind === 'holds') return null
  return { kind: checked.kind === 'fails' ? 'precondition_failed' : 'precondition_error', checked, tool }
}

/** Step 6. What held when the write was staged must hold now. */
export async function recheckPrecondition(
  ctx: Context,
  { calls }: Pick<ActionRooms, 'calls'>,
  execution: Execution,
  authority: Authority,
): Promise<Conclusion | null> {
  const { action, tool, catalog, arguments: given, userId } = execution
  const { actionId, sessionId } = action
  const { tenantId } = ctx.asking
  const onBehalf = onBehalfOfAction(ctx, action, userId)
  const unmet = await unmetPrecondition(ctx, calls, catalog, { tool, arguments: given, onBehalf, sessionId })
  if (unmet === null) return null
  const { reason } = unmet.checked
  if (unmet.kind === 'precondition_error') {
    await ctx.db.run(note, { tenantId, actionId, event: 'precondition_error', ...causedBy(execution) })
    return concluded(
      'PreconditionError',
      'precondition_error',
      `The precondition could not be read. ${reason} Nothing was run; confirm again.`,
    )
  }
  const broken = await ctx.db.one(breakPrecondition, {
    ...standingOf(ctx),
    actionId,
    ...causedBy(execution),
    eventId: newId('evt'),
    reason,
  })
  if (broken === undefined) return await lostClaim(ctx, execution, authority)
  return concluded('PreconditionFailed', 'precondition_failed', `${reason} Nothing was run.`)
}
