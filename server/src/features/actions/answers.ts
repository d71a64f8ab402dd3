import { CONFIRM_STATUSES, NOT_STAGED } from '@tether/contract'
import { type Answer, refuse } from '../../foundation/http/index.ts'
import { stringifyJson } from '../../foundation/json/index.ts'
import type { ReadResult } from '../calls/index.ts'
import { type Tool, trimResult, writtenCheck } from '../catalog/index.ts'
import type { Action, Decided } from './conclusion.ts'
import type { Staged } from './stage.ts'
import type { CallResult, NotUsed, StageResult } from './use-tool.ts'

// What the verbs of this room come to, over HTTP. Nothing else in the room knows a status or a body.

const json = (status: number, content: string): Answer => ({
  status,
  text: { type: 'application/json; charset=utf-8', content },
})

/** The endpoint's answer goes out as the bytes that came in. */
export function decidedAnswer({ actionId, conclusion, action }: Decided): Answer {
  const { status, errorCode, message } = conclusion
  const applied = status === 'Executed' || status === 'Replayed' ? appliedText(action) : 'null'
  const head = { status, actionId, commandType: action?.tool ?? null }
  const tail = {
    errorCode,
    errorMessage: message,
    verification: action === null ? null : verificationOf(action),
    ...(conclusion.status === 'AwaitingApprovers'
      ? { approversRequired: conclusion.approvers.required, approversReceived: conclusion.approvers.received }
      : {}),
  }
  const content = `${JSON.stringify(head).slice(0, -1)},"appliedChanges":${applied},${JSON.stringify(tail).slice(1)}`
  return json(CONFIRM_STATUSES[status].http, content)
}

function appliedText(action: Action | null): string {
  const bytes = action?.result
  // Proved to be JSON in UTF-8 before it was called a success.
  return bytes === null || bytes === undefined || bytes.length === 0 ? 'null' : withoutMark(bytes)
}

/** Only an executed write that declares a verify has one. */
function verificationOf({ verificationStatus, verificationReason, verifiedAt, sessionId }: Action) {
  if (verificationStatus === null || verifiedAt === null) return null
  const checked = {
    status: verificationStatus,
    reason: verificationReason ?? '',
    checkedAt: verifiedAt.toISOString(),
  }
  if (verificationStatus === 'verified') return checked
  return { ...checked, handoff: { trigger: 'unverified_outcome' as const, sessionId } }
}

export const listAnswer = (actions: readonly Action[]): Answer =>
  json(200, `{"actions":[${actions.map(actionText).join(',')}],"count":${actions.length}}`)

/** The staged arguments go out as they were stored: parsing and writing them again could change a number. */
function actionText(action: Action): string {
  const head = {
    actionId: action.actionId,
    tool: action.tool,
    commandType: action.tool,
    title: action.title,
    summary: action.summary,
    rationale: action.rationale,
  }
  const tail = {
    payloadHash: action.payloadHash,
    risk: action.risk,
    status: action.state,
    scopeId: action.scopeId,
    subject: action.subject,
    sessionId: action.sessionId,
    requestedByUserId: action.requestedByUserId,
    errorCode: action.errorCode,
    errorMessage: action.errorMessage,
    createdAt: action.createdAt.toISOString(),
    expiresAt: action.expiresAt.toISOString(),
    verification: verificationOf(action),
  }
  return `${JSON.stringify(head).slice(0, -1)},"arguments":${action.arguments},${JSON.stringify(tail).slice(1)}`
}

export function stagedAnswer(result: StageResult): Answer {
  switch (result.kind) {
    case 'staged':
      return previewAnswer(result)
    case 'precondition_failed':
    case 'precondition_error':
      return unmetAnswer(result)
    case 'unknown_tool':
    case 'invalid_request':
    case 'customer_required':
      return notStaged(result)
  }
}

function previewAnswer(staged: Extract<Staged, { kind: 'staged' }>): Answer {
  const { tool, actionId, token, expiresAt, summary } = staged
  const preview = {
    status: 'preview',
    toolName: tool.name,
    actionId,
    expiresAt: expiresAt.toISOString(),
    summary,
  } as const
  const resultJson = stringifyJson({ ...preview, arguments: staged.arguments })
  return { status: 200, body: { ...preview, confirmationToken: token, resultJson } }
}

function unmetAnswer({ kind, checked, tool }: Exclude<Staged, { kind: 'staged' }>): Answer {
  const { precondition } = tool
  const check = precondition === null ? null : { tool: precondition.tool, ...writtenCheck(precondition.check) }
  const result = checked.kind === 'unreadable' ? null : checked.result
  const resultJson = stringifyJson({ reason: checked.reason, check, result })
  return notStaged({ kind, toolName: tool.name, message: `${checked.reason} Nothing was staged.` }, resultJson)
}

type NotStaged = Omit<NotUsed, 'kind'> & { readonly kind: keyof typeof NOT_STAGED }

const notStaged = ({ kind, toolName, message }: NotStaged, resultJson = '{}'): Answer => ({
  status: NOT_STAGED[kind].http,
  body: { status: kind, toolName, message, actionId: null, resultJson, error: { code: kind, message } },
})

/** A direct call that used nothing is refused like any other request; one that staged answers as a staging does. */
export function calledAnswer(result: CallResult): Answer {
  switch (result.kind) {
    case 'called':
      return json(200, calledText(result.tool, result.result))
    case 'unknown_tool':
    case 'invalid_request':
      throw refuse(result.kind, result.message)
    case 'customer_required': {
      const { kind: status, toolName, message } = result
      return { status: 403, body: { status, toolName, message } }
    }
    default:
      return stagedAnswer(result)
  }
}

/** The endpoint's own bytes are the result: numbers and members stand as the business wrote them. */
function calledText(tool: Tool, result: ReadResult): string {
  const { text, ...rest } = result.status === 'ok' ? resultText(tool, result) : failureText(result)
  const head = `{"status":${JSON.stringify(result.status)},"toolName":${JSON.stringify(tool.name)},"result":${text},`
  return head + JSON.stringify({ ...rest, durationMs: result.durationMs }).slice(1)
}

type Failed = Exclude<ReadResult, { status: 'ok' }>

const failureText = ({ message, lastStatus }: Failed) => ({
  text: 'null',
  message,
  ...(lastStatus === null ? {} : { lastStatus }),
})

function resultText(tool: Tool, { body, value }: Exclude<ReadResult, Failed>) {
  if (tool.result === null) return { text: body.length === 0 ? 'null' : withoutMark(body) }
  const { value: trimmed, notice } = trimResult(value, tool.result)
  return { text: stringifyJson(trimmed), ...(notice === null ? {} : { notice }) }
}

/** A byte order mark may stand before a text, but not inside another. */
const withoutMark = (body: Buffer): string => new TextDecoder('utf-8').decode(body)
