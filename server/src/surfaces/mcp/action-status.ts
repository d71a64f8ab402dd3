import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { type Action, ownAction } from '../../features/actions/index.ts'
import { actionStatusName } from '../../features/catalog/index.ts'
import { isObject, type Json, member, parseJsonBytes } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'

const text = (description: string) => ({ type: 'string', description })

export const STATUS_TOOL: Tool = {
  name: actionStatusName,
  title: 'What became of a proposed change',
  description:
    'Says what became of a change that you proposed: whether it still waits for a person, was done, declined, has expired or failed. It knows only what was proposed with your own key.',
  inputSchema: {
    type: 'object',
    properties: { action_id: text('The actionId of the result that proposed it.') },
    required: ['action_id'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      status: text(
        'pending, executing, executed, failed, rejected, expired, indeterminate, precondition_failed, or unknown_action.',
      ),
      message: text('The same in words.'),
      actionId: text('The id that was asked for.'),
      tool: text('The tool that was proposed.'),
      summary: text('What was proposed, as the person reads it.'),
      expiresAt: text('Until when it could be confirmed.'),
      replacedBy: text('The action that took its place, where a person changed it.'),
      errorCode: text('Why it failed.'),
      result: { description: 'What the business answered when it was done.' },
      verification: text('verified or unverified, where the effect was looked for.'),
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
  const message = 'You proposed no action of this id. Send the actionId of a result whose status was "staged".'
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
  'A person changed it: an action with other arguments took its place, which a person decides. This one was not done. Do not propose it again.'

const MEANINGS: Readonly<Record<Action['state'], string>> = {
  pending: 'It still waits for a person to confirm it. Nothing has been done.',
  executing: 'A person confirmed it, and it is being done at this moment. Ask again.',
  executed: 'A person confirmed it, and it was done.',
  failed: 'A person confirmed it, and it was not done: it failed.',
  rejected: 'A person declined it. Nothing was done.',
  expired: 'Nobody confirmed it in time. Nothing was done.',
  indeterminate:
    'It was sent, and it is not known whether it was done. A person has to find out. Do not propose it again.',
  precondition_failed: 'When it was confirmed, it was no longer possible. Nothing was done.',
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
