import { newId } from '../../../kernel/ids/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { patiently } from '../../../tenancy/jobs/index.ts'
import { runReadCheck } from '../../../tools/calls/index.ts'
import type { Conclusion } from '../conclusion.ts'
import type { ActionRooms } from '../rooms.ts'
import { recordVerification } from '../settle-queries.ts'
import { type Execution, onBehalfOfAction } from './handler.ts'

const VERIFY_WITHIN_MS = 5_000

/** Step 9. Reads back whether the effect is there. The finding changes nothing about the execution: nothing runs it again. */
export async function verify(
  ctx: Context,
  { calls, faults }: Pick<ActionRooms, 'calls' | 'faults'>,
  execution: Execution,
  { status }: Conclusion,
): Promise<void> {
  if (status === 'Executed') await readBack(ctx, calls, execution)
  await faults.at('after_verify')
}

async function readBack(ctx: Context, calls: ActionRooms['calls'], execution: Execution): Promise<void> {
  const { action, tool, arguments: given, catalog, source } = execution
  if (tool.verify === null) return
  const { actionId, sessionId } = action
  const { kind, reason } = await runReadCheck(
    ctx,
    { calls, catalog },
    {
      check: tool.verify,
      arguments: given,
      onBehalf: onBehalfOfAction(ctx, action, execution.userId),
      sessionId,
      withinMs: VERIFY_WITHIN_MS,
    },
  )
  const status = kind === 'holds' ? 'verified' : 'unverified'
  const ids = { eventId: newId('evt'), handoffId: newId('evt') }
  const { tenantId } = ctx.asking
  await patiently(ctx, () => ctx.db.one(recordVerification, { tenantId, actionId, status, reason, ...ids, source }))
}
