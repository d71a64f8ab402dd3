import type { Context } from '../../../tenancy/context/index.ts'
import { checkArguments } from '../../../tools/catalog/index.ts'
import { changeSince, mustAcknowledge, type Prohibition, readable, WHY_CHANGED } from '../../writes/index.ts'
import { type Conclusion, type ConfirmInput, concluded } from '../conclusion.ts'
import { note } from '../queries.ts'
import { causedBy, type Execution, handlerMissing } from './handler.ts'

/** Step 5. What would run must be what was staged and what the approver saw, be allowed at all, and be acknowledged. */
export async function guard(
  ctx: Context,
  prohibition: Prohibition,
  input: ConfirmInput,
  execution: Execution,
): Promise<Conclusion | null> {
  const { action, tool, arguments: given } = execution
  return (
    refuseChanged(input, execution) ??
    (await refuseProhibited(ctx, prohibition, execution)) ??
    refuseUnacknowledged(
      input,
      mustAcknowledge(ctx.settings, tool, { risk: action.risk, arguments: given, value: action.value }),
    )
  )
}

function refuseChanged(
  input: ConfirmInput,
  { action, tool, arguments: given, destination }: Execution,
): Conclusion | null {
  if (input.payloadHash !== null && input.payloadHash !== action.payloadHash) {
    return concluded(
      'Conflict',
      'CONFLICT',
      'What you saw is not what would run: the `payloadHash` differs. Read the action again before you decide.',
    )
  }
  const fits = checkArguments(tool, given)
  if (!fits.ok)
    return handlerMissing(`The tool no longer takes the arguments that were staged. ${fits.message} Stage it again.`)
  const change = changeSince(tool, given, action, destination)
  if (change === null && (!tool.requiresCustomer || action.subject !== null)) return null
  if (change === 'destination' && destination.base === null)
    return concluded('FailedRetryable', 'EXECUTION_FAILED_RETRYABLE', WHY_CHANGED.no_address)
  return concluded('GuardForbidden', 'FORBIDDEN', WHY_CHANGED[change ?? 'request'])
}

async function refuseProhibited(
  ctx: Context,
  prohibition: Prohibition,
  execution: Execution,
): Promise<Conclusion | null> {
  const { tool, summary, actionId, arguments: given } = execution.action
  const principle = await prohibition.forbids({ tool, summary, argumentsText: readable(given) })
  if (principle === null) return null
  await ctx.db.run(note, { tenantId: ctx.asking.tenantId, actionId, event: 'prohibited', ...causedBy(execution) })
  return concluded('Prohibited', 'action_prohibited', `${principle} It cannot be confirmed.`)
}

function refuseUnacknowledged({ acknowledgeHighRisk }: ConfirmInput, why: string | null): Conclusion | null {
  if (why === null || acknowledgeHighRisk) return null
  return concluded(
    'GuardRejected',
    'AI_ACTION_REQUIRES_CONFIRMATION',
    `${why} Confirm it with \`acknowledgeHighRisk: true\`.`,
  )
}
