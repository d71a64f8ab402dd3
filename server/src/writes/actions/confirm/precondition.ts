import { newId } from '../../../kernel/ids/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { type Calls, runReadCheck } from '../../../tools/calls/index.ts'
import { type Conclusion, concluded } from '../conclusion.ts'
import { breakPrecondition } from '../deciding-queries.ts'
import { note } from '../queries.ts'
import type { Authority } from './approver.ts'
import { lostClaim, standingOf } from './claim.ts'
import { causedBy, type Execution, onBehalfOfAction } from './handler.ts'

/** Step 6. What held when the write was staged must hold now. */
export async function recheckPrecondition(
  ctx: Context,
  calls: Calls,
  execution: Execution,
  authority: Authority,
): Promise<Conclusion | null> {
  const { action, tool, catalog } = execution
  if (tool.precondition === null) return null
  const { tenantId } = ctx.asking
  const { actionId, sessionId } = action
  const checked = await runReadCheck(
    ctx,
    { calls, catalog },
    {
      check: tool.precondition,
      arguments: execution.arguments,
      onBehalf: onBehalfOfAction(execution),
      sessionId,
    },
  )
  const { kind, reason } = checked
  if (kind === 'holds') return null
  if (kind === 'unreadable') {
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
