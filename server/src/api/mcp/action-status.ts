import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { isObject, type Json, member, parseJsonBytes } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { actionStatusName } from '../../tools/catalog/index.ts'
import { type Action, ownAction } from '../../writes/actions/index.ts'

const text = (description: string) => ({ type: 'string', description })

export const STATUS_TOOL: Tool = {
  name: actionStatusName,
  title: 'Status of a proposed change',
  description:
    'Reports the status of a change that you proposed: waiting for a person, executed, declined, expired or failed. It finds only changes that were proposed with your own key.',
  inputSchema: {
    type: 'object',
    properties: { action_id: text('The actionId from the result of the call that proposed the change.') },
    required: ['action_id'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      status: text(
        'pending, executing, executed, failed, rejected, expired, indeterminate, precondition_failed, or unknown_action.',
      ),
      message: text('The status as a sentence.'),
      actionId: text('The id from the request.'),
      tool: text('The tool that would run or has run.'),
      summary: text('The proposed change, as shown to the person who decides.'),
      expiresAt: text('The time until which a person could confirm it.'),
      replacedBy: text('The id of the action that replaced this one, if a person changed it.'),
      errorCode: text('The error code, if it failed.'),
      result: { description: 'The response of the business, if it was executed.' },
      verification: text('verified or unverified, if the effect was checked afterwards.'),
    },
    required: ['status', 'message', 'actionId'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}

export async function tellStatus(ctx: Context, given: unknown): Promise<CallToolResult> {
  const asked = isObject(given) ? member(given, 'action_id') : undefined
  const actionId = typeof asked === 'string' ? asked.trim() : ''
  const action = actionId === '' ? null : await ownAction(ctx, actionId)
  if (action !== null) return told(action)
  const message =
    'You have not proposed an action with this id. Send the actionId from a result whose status is "staged".'
  return said(true, { status: 'unknown_action', message, actionId: actionId.slice(0, 64) })
}

function told(action: Action): CallToolResult {
  const { actionId, tool, summary, state, errorCode, verificationStatus, expiresAt } = action
  const failed = state === 'failed' && action.errorMessage !== null ? ` ${action.errorMessage}` : ''
  const message = action.replacedBy === null ? `${MEANINGS[state]}${failed}${reasonOf(action)}` : REPLACED
  const rest = state === 'executed' ? { result: resultOf(action) } : {}
  return said(false, {
    status: state,
    message: `${message} ("${summary}")`,
    actionId,
    tool,
    summary,
    expiresAt: expiresAt.toISOString(),
    ...(action.replacedBy === null ? {} : { replacedBy: action.replacedBy }),
    ...(errorCode === null || action.replacedBy !== null ? {} : { errorCode }),
    ...(verificationStatus === null ? {} : { verification: verificationStatus }),
    ...rest,
  })
}

/** Why a person declined is their own, unless they said that a visitor may read it: a model may speak to one. */
const reasonOf = ({ state, tellVisitor, errorMessage }: Action): string =>
  state === 'rejected' && tellVisitor && errorMessage !== null ? ` The reason: ${errorMessage}` : ''

const REPLACED =
  'A person changed it: an action with other arguments took its place, and a person will decide on that one. This one was not executed. Do not propose it again.'

const MEANINGS: Readonly<Record<Action['state'], string>> = {
  pending: 'It is waiting for a person to confirm it. Nothing has been done yet.',
  executing: 'A person confirmed it, and it is running now. Check again.',
  executed: 'A person confirmed it, and it was executed.',
  failed: 'A person confirmed it, but it failed and was not executed.',
  rejected: 'A person declined it. Nothing was done.',
  expired: 'No one confirmed it in time. Nothing was done.',
  indeterminate: 'It was sent, but its outcome is unknown. A person has to find out. Do not propose it again.',
  precondition_failed: 'It was no longer possible when it was confirmed. Nothing was done.',
}

/** It was kept as its bytes; one that cannot be read is left out. */
function resultOf({ result }: Action): Json {
  if (result === null || result.length === 0) return null
  try {
    return parseJsonBytes(result)
  } catch {
    return null
  }
}

const said = (isError: boolean, structuredContent: { readonly message: string; readonly [member: string]: Json }) => ({
  isError,
  content: [{ type: 'text' as const, text: structuredContent.message }],
  structuredContent,
})
