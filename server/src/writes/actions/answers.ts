import { CONFIRM_FOR_VISITOR, CONFIRM_STATUSES, NOT_STAGED, VERIFICATION_FOR_VISITOR } from '@tether/contract'
import { type Answer, refuse } from '../../kernel/http/index.ts'
import { stringifyJson } from '../../kernel/json/index.ts'
import { jsonIn, type NotUsed, readAnswer } from '../../tools/calls/index.ts'
import { writtenCheck } from '../../tools/catalog/index.ts'
import type { Amended } from './amend.ts'
import type { Action, Decided } from './conclusion.ts'
import type { Staged } from './stage.ts'
import type { StageResult, UseToolResult } from './use-tool.ts'

// What the verbs of this room come to, over HTTP. Nothing else in the room knows a status or a body.

/** The endpoint's answer goes out as the bytes that came in. A customer is told what happened, and not why. */
export function decidedAnswer({ actionId, conclusion, action }: Decided, isCustomers = false) {
  const { status, errorCode, message } = conclusion
  const applied = status === 'Executed' || status === 'Replayed' ? (action?.result ?? null) : null
  const body = {
    status,
    actionId,
    commandType: action?.tool ?? null,
    // Proved to be JSON in UTF-8 before it was called a success.
    appliedChanges: applied === null ? null : jsonIn(applied),
    errorCode,
    errorMessage: isCustomers ? CONFIRM_FOR_VISITOR[status] : message,
    verification: action === null ? null : verificationOf(action, isCustomers),
    ...(conclusion.status === 'AwaitingApprovers'
      ? { approversRequired: conclusion.approvers.required, approversReceived: conclusion.approvers.received }
      : {}),
  }
  return { status: CONFIRM_STATUSES[status].http, body }
}

/** Only an executed write that declares a verify has one. */
export function verificationOf(
  { verificationStatus, verificationReason, verifiedAt, sessionId }: Action,
  isCustomers = false,
) {
  if (verificationStatus === null || verifiedAt === null) return null
  const checked = {
    status: verificationStatus,
    reason: isCustomers ? VERIFICATION_FOR_VISITOR[verificationStatus] : (verificationReason ?? ''),
    checkedAt: verifiedAt.toISOString(),
  }
  if (verificationStatus === 'verified') return checked
  return { ...checked, handoff: { trigger: 'unverified_outcome' as const, sessionId } }
}

export function stagedAnswer(result: StageResult): Answer {
  switch (result.kind) {
    case 'staged':
      return previewAnswer(result)
    case 'body_too_large':
      throw refuse(result.kind, result.message)
    case 'full':
      throw refuse('rate_limited', result.message, { reason: 'pending_actions' }, { 'retry-after': '60' })
    case 'precondition_failed':
    case 'precondition_error':
      return unmetAnswer(result)
    case 'unknown_tool':
    case 'invalid_request':
    case 'customer_required':
      return notStaged({ ...result, kind: result.kind })
  }
}

/** As a staging answers, and what it replaces. An action that is not pending answers as a reject would, with its replacement. */
export function amendedAnswer(amended: Amended): Answer {
  if (amended.kind === 'decided') {
    const { status, body } = decidedAnswer(amended.decided)
    return { status, body: { ...body, replacedBy: amended.decided.action?.replacedBy ?? undefined } }
  }
  if (amended.kind !== 'amended') return stagedAnswer(amended)
  return { status: 200, body: { ...previewOf(amended), replaces: amended.replaces } }
}

const previewAnswer = (staged: Extract<Staged, { kind: 'staged' }>): Answer => ({
  status: 200,
  body: previewOf(staged),
})

type Preview = Pick<
  Extract<Amended, { kind: 'amended' }>,
  'tool' | 'actionId' | 'token' | 'expiresAt' | 'summary' | 'arguments'
>

function previewOf(staged: Preview) {
  const { tool, actionId, token, expiresAt, summary } = staged
  const preview = {
    status: 'preview',
    toolName: tool.name,
    actionId,
    expiresAt: expiresAt.toISOString(),
    summary,
  } as const
  const resultJson = stringifyJson({ ...preview, arguments: staged.arguments })
  return { ...preview, confirmationToken: token, resultJson }
}

function unmetAnswer({ kind, checked, tool }: Exclude<Staged, { kind: 'staged' | 'full' }>): Answer {
  const { precondition } = tool
  const check = precondition === null ? null : { tool: precondition.tool, ...writtenCheck(precondition.check) }
  const result = checked.kind === 'unreadable' ? null : checked.result
  const resultJson = stringifyJson({ reason: checked.reason, check, result })
  return notStaged({ kind, toolName: tool.name, message: `${checked.reason} Nothing was staged.` }, resultJson)
}

type NotStaged = Omit<NotUsed, 'kind'> & { readonly kind: keyof typeof NOT_STAGED }

const notStaged = ({ kind, toolName, message }: NotStaged, resultJson = '{}'): Answer => ({
  status: NOT_STAGED[kind].http,
  body: {
    status: kind,
    toolName,
    message,
    actionId: null,
    resultJson,
    ...(kind === 'unknown_tool' || kind === 'invalid_request' ? { error: { code: kind, message } } : {}),
  },
})

/** A direct call that used nothing is refused like any other request; one that staged answers as a staging does. */
export function calledAnswer(result: UseToolResult): Answer {
  switch (result.kind) {
    case 'called':
      return readAnswer(result.tool, result.result)
    case 'unknown_tool':
    case 'invalid_request':
    case 'body_too_large':
      throw refuse(result.kind, result.message)
    case 'customer_required': {
      const { kind: status, toolName, message } = result
      return { status: 403, body: { status, toolName, message } }
    }
    default:
      return stagedAnswer(result)
  }
}
