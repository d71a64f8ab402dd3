import type { Answer } from '../../foundation/http/index.ts'
import { newId } from '../../foundation/ids/index.ts'
import { isNumber, isObject, type JsonObject, parseJson } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import {
  approverOf,
  type JudgedAction,
  judgeApprover,
  loadApproval,
  type Refused,
  readValue,
} from '../approvals/index.ts'
import type { Calls } from '../calls/index.ts'
import { type Catalogs, checkArguments, type Tool } from '../catalog/index.ts'
import { confirmAnswer, type Said } from './answers.ts'
import { type Approval, claim, type Execution, execute, onBehalfOfAction } from './execute.ts'
import type { Faults } from './fault-points.ts'
import { mustAcknowledge, strictest } from './guardrails.ts'
import { payloadHash } from './payload.ts'
import { type Prohibition, readable } from './prohibition.ts'
import * as sql from './queries.ts'
import { ask } from './read-check.ts'
import { markSuperseded } from './settle-queries.ts'
import { expireDue } from './sweep-queries.ts'

export type ConfirmParts = {
  readonly catalogs: Catalogs
  readonly calls: Calls
  readonly prohibition: Prohibition
  readonly faults: Faults
}

export type ConfirmInput = {
  readonly actionId: string
  readonly acknowledgeHighRisk: boolean
  readonly confirmKey: string | null
  /** What the approver saw. Another one is refused: a stale card decides nothing else. */
  readonly payloadHash: string | null
  readonly source: string
}

/** Who confirms: the person that the token was bound to, or the one whom a secret-key caller names. */
export const confirmer = ({ asking }: Context): number | null =>
  asking.kind === 'action' ? asking.approverUserId : asking.userId

/** The specification's order, step by step; the first step that says no is the answer. */
export async function confirm(ctx: Context, parts: ConfirmParts, input: ConfirmInput): Promise<Answer> {
  const { actionId } = input
  const tenantId = ctx.asking.tenantId
  const replayed = await replay(ctx, input)
  if (replayed !== null) return replayed
  const row = await ctx.db.one(sql.findAction, { tenantId, actionId })
  const closed = row === undefined ? notFound() : await closedBy(ctx, row)
  if (row === undefined || closed !== null) return confirmAnswer(actionId, row ?? null, closed ?? notFound())
  const said = await decide(ctx, parts, input, row)
  // Read again: what is answered is what stands.
  const after = await ctx.db.one(sql.findAction, { tenantId, actionId })
  return confirmAnswer(actionId, after ?? row, said)
}

const notFound = (): Said => ({
  status: 'NotFound',
  errorCode: 'PENDING_ACTION_NOT_FOUND',
  errorMessage: 'There is no pending action with this id. GET /v1/actions lists those that wait.',
})
const expired = (): Said => ({
  status: 'Expired',
  errorCode: 'action_expired',
  errorMessage: 'The time to confirm this action has passed. It was not run; ask for it again.',
})
const inProgress = (): Said => ({
  status: 'Conflict',
  errorCode: 'ACTION_ALREADY_IN_PROGRESS',
  errorMessage: 'Another confirm is executing this action. Look at it again in a moment.',
})
const changedMeanwhile = (): Said => ({
  status: 'Conflict',
  errorCode: 'CONFLICT',
  errorMessage: 'The approval policy changed while this was decided. Nothing was run; confirm again.',
})
const keyReused = (): Said => ({
  status: 'Conflict',
  errorCode: 'IDEMPOTENCY_KEY_REUSED',
  errorMessage: 'This idempotency key was used to confirm another action. Use a new key for each action.',
})

/** A confirm that is sent again answers what the first one did, and runs nothing. */
async function replay(ctx: Context, { actionId, confirmKey, source }: ConfirmInput): Promise<Answer | null> {
  if (confirmKey === null) return null
  const tenantId = ctx.asking.tenantId
  const userId = confirmer(ctx) ?? 0
  const known = await ctx.db.one(sql.findConfirmKey, { tenantId, userId, confirmKey })
  if (known === undefined) return null
  if (known.actionId !== actionId) return confirmAnswer(actionId, null, keyReused())
  const row = await ctx.db.one(sql.findAction, { tenantId, actionId })
  if (row?.state !== 'executed') return null
  await ctx.db.run(sql.recordReplay, { tenantId, actionId, userId, source })
  return confirmAnswer(actionId, row, { status: 'Replayed' })
}

/** Why an action cannot be confirmed whoever asks; null while it can, or while another confirm executes it. */
async function closedBy(ctx: Context, row: sql.ActionRow): Promise<Said | null> {
  if (row.state === 'pending' && row.late) {
    await ctx.db.one(expireDue, {
      tenantId: ctx.asking.tenantId,
      ids: [row.actionId],
      source: 'POST /v1/actions/{actionId}/confirm',
    })
    return expired()
  }
  if (row.state === 'pending' || row.state === 'executing') return null
  if (row.state === 'expired') return expired()
  if (row.state === 'rejected') {
    return {
      status: 'Rejected',
      errorCode: 'action_rejected',
      errorMessage: row.errorMessage ?? 'A person declined this action.',
    }
  }
  return notFound()
}

async function decide(ctx: Context, parts: ConfirmParts, input: ConfirmInput, row: sql.ActionRow): Promise<Said> {
  const catalog = await parts.catalogs.of(ctx)
  const tool = catalog.find(row.tool)
  const given = argumentsOf(row)
  const action = judgedAction(row, tool, given)
  const judged = await judge(ctx, action, row.actionId)
  if (!judged.ok) return refusedApprover(judged)
  if (tool === undefined || !tool.isWrite)
    return handlerMissing(`The catalog has no write called "${row.tool}" any more.`)
  const refused = await guard(ctx, parts, input, { row, tool, given })
  if (refused !== null) return refused
  const { userId, underPolicy, policyVersion } = judged
  const { userRole } = ctx.asking
  const { source } = input
  const execution: Execution = { row, tool, arguments: given, catalog, userId, userRole, source }
  const approved = underPolicy
    ? await approve(ctx, execution, action)
    : row.state === 'executing'
      ? inProgress()
      : { people: [] }
  if ('status' in approved) return approved
  const approval = { underPolicy, policyVersion, people: approved.people, action }
  return (await broken(ctx, parts, execution, approval)) ?? (await run(ctx, parts, input, execution, approval))
}

/** How it was judged: what the claim compares, and what a lost claim looks at again. */
type Judged = Approval & { readonly underPolicy: boolean; readonly action: JudgedAction }

const refusedApprover = ({ status, message }: Refused): Said => ({
  status,
  errorCode: status === 'ApproverUnknown' ? 'approver_unknown' : 'approver_forbidden',
  errorMessage: message,
})

/** Kept as the number that it was written as. */
const stagedValue = ({ value }: sql.ActionRow): JudgedAction['value'] => {
  const number = value === null ? null : parseJson(value)
  return isNumber(number) ? number : null
}

const judgedAction = (row: sql.ActionRow, tool: Tool | undefined, given: JsonObject): JudgedAction => ({
  tool: row.tool,
  domain: row.domain,
  risk: tool === undefined ? row.risk : strictest(row.risk, tool.risk),
  // A tool that names no value any more keeps the one that it was staged with.
  value: readValue(tool?.valueFrom ?? null, given) ?? stagedValue(row),
  requestedByUserId: row.requestedByUserId,
  payloadHash: row.payloadHash,
  subject: row.subject,
})

async function judge(ctx: Context, action: JudgedAction, actionId: string) {
  const loaded = await loadApproval(ctx, { actionId, approverUserId: confirmer(ctx) })
  const judged = judgeApprover({ ...loaded, approver: approverOf(ctx.asking), action })
  return judged.ok ? { ...judged, policyVersion: loaded.policyVersion } : judged
}

const handlerMissing = (errorMessage: string): Said => ({
  status: 'HandlerMissing',
  errorCode: 'HANDLER_NOT_REGISTERED',
  errorMessage,
})

/** What was staged is JSON that we wrote ourselves. */
function argumentsOf(row: sql.ActionRow): JsonObject {
  const value = parseJson(row.arguments)
  return isObject(value) ? value : {}
}

type Guarded = { readonly row: sql.ActionRow; readonly tool: Tool; readonly given: JsonObject }

async function guard(
  ctx: Context,
  { prohibition }: ConfirmParts,
  input: ConfirmInput,
  { row, tool, given }: Guarded,
): Promise<Said | null> {
  if (input.payloadHash !== null && input.payloadHash !== row.payloadHash) {
    return {
      status: 'Conflict',
      errorCode: 'CONFLICT',
      errorMessage: 'What you saw is not what would run: `payloadHash` differs. Look at the action again.',
    }
  }
  const fits = checkArguments(tool, given)
  if (!fits.ok) return handlerMissing(`The tool takes other arguments now than were staged. ${fits.message}`)
  const bound = payloadHash({ tool: row.tool, arguments: given, scopeId: row.scopeId, subject: row.subject })
  if (bound !== row.payloadHash || (tool.requiresCustomer && row.subject === null)) {
    return {
      status: 'GuardForbidden',
      errorCode: 'FORBIDDEN',
      errorMessage: 'This action is not what was staged, or not for whom. It was not run.',
    }
  }
  const principle = await prohibition.forbids({
    tool: row.tool,
    summary: row.summary,
    argumentsText: readable(row.arguments),
  })
  if (principle !== null) {
    await ctx.db.run(sql.note, {
      tenantId: ctx.asking.tenantId,
      actionId: row.actionId,
      event: 'prohibited',
      userId: confirmer(ctx) ?? 0,
      source: input.source,
    })
    return { status: 'Prohibited', errorCode: 'action_prohibited', errorMessage: principle }
  }
  const why = mustAcknowledge(ctx.settings, tool, { risk: row.risk, arguments: given })
  if (why === null || input.acknowledgeHighRisk) return null
  return {
    status: 'GuardRejected',
    errorCode: 'AI_ACTION_REQUIRES_CONFIRMATION',
    errorMessage: `${why} Confirm it with \`acknowledgeHighRisk: true\`.`,
  }
}

/** Under a policy every yes is written down, once per person; until there are enough the action waits. */
async function approve(
  ctx: Context,
  { row, userId, source }: Execution,
  action: JudgedAction,
): Promise<Said | Pick<Approval, 'people'>> {
  await ctx.db.one(sql.recordApproval, {
    tenantId: ctx.asking.tenantId,
    actionId: row.actionId,
    userId,
    payloadHash: row.payloadHash,
    source,
    eventId: newId('evt'),
  })
  if (row.state === 'executing') return inProgress()
  // Counted after this yes is there: of two who come at once, the later one sees both.
  return await count(ctx, row.actionId, action)
}

/** Whoever has approved, when they are enough. */
async function count(ctx: Context, actionId: string, action: JudgedAction): Promise<Said | Pick<Approval, 'people'>> {
  const counted = await judge(ctx, action, actionId)
  if (!counted.ok) return refusedApprover(counted)
  const { required, received, people } = counted
  if (received >= required) return { people }
  return {
    status: 'AwaitingApprovers',
    errorCode: 'awaiting_approvers',
    errorMessage: `${received} of ${required} people have approved this. It runs when the last one does.`,
    approvers: { required, received },
  }
}

/** The precondition held when this was staged; it must hold now. */
async function broken(
  ctx: Context,
  { calls }: ConfirmParts,
  execution: Execution,
  judged: Judged,
): Promise<Said | null> {
  const { row, tool, catalog, userId, userRole, source } = execution
  if (tool.precondition === null) return null
  const tenantId = ctx.asking.tenantId
  const checked = await ask(
    ctx,
    { calls, catalog },
    {
      check: tool.precondition,
      arguments: execution.arguments,
      onBehalf: onBehalfOfAction(row, userId, userRole),
      sessionId: row.sessionId,
      withinMs: ctx.settings.toolTransport.timeoutSeconds * 1000,
    },
  )
  if (checked.kind === 'holds') return null
  if (checked.kind === 'unreadable') {
    await ctx.db.run(sql.note, { tenantId, actionId: row.actionId, event: 'precondition_error', userId, source })
    return {
      status: 'PreconditionError',
      errorCode: 'precondition_error',
      errorMessage: `What had to be checked first could not be read. ${checked.reason} Nothing was run; confirm again.`,
    }
  }
  const ended = await ctx.db.one(sql.breakPrecondition, {
    tenantId,
    actionId: row.actionId,
    userId,
    source,
    eventId: newId('evt'),
    reason: checked.reason,
  })
  if (ended === undefined) return await lost(ctx, execution, judged)
  return {
    status: 'PreconditionFailed',
    errorCode: 'precondition_failed',
    errorMessage: `${checked.reason} Nothing was run.`,
  }
}

async function run(
  ctx: Context,
  parts: ConfirmParts,
  input: ConfirmInput,
  execution: Execution,
  judged: Judged,
): Promise<Said> {
  const { row, userId } = execution
  if (input.confirmKey !== null && !(await reserve(ctx, row.actionId, userId, input.confirmKey))) return keyReused()
  await parts.faults.at('before_claim')
  const claimed = await claim(ctx, execution, judged)
  if (claimed === undefined) return await lost(ctx, execution, judged)
  await parts.faults.at('after_claim')
  return await execute(ctx, parts, execution, claimed)
}

async function reserve(ctx: Context, actionId: string, userId: number, confirmKey: string): Promise<boolean> {
  const tenantId = ctx.asking.tenantId
  await ctx.db.run(sql.reserveConfirmKey, { tenantId, userId, confirmKey, actionId })
  return (await ctx.db.one(sql.findConfirmKey, { tenantId, userId, confirmKey }))?.actionId === actionId
}

/** Somebody else was first, or what was judged is not so any more. What stands decides what is said. */
async function lost(ctx: Context, execution: Execution, judged: Judged): Promise<Said> {
  const { row, userId, source } = execution
  if (judged.underPolicy)
    await ctx.db.run(markSuperseded, { tenantId: ctx.asking.tenantId, actionId: row.actionId, userId, source })
  const now = await ctx.db.one(sql.findAction, { tenantId: ctx.asking.tenantId, actionId: row.actionId })
  if (now === undefined) return notFound()
  const closed = await closedBy(ctx, now)
  const moved = closed === null && now.state === 'pending' ? await changed(ctx, execution, judged) : null
  // A loser of the race hears that it lost, also when the winner is done by now, or was told to come back.
  return moved ?? (closed === null || now.state === 'executed' ? inProgress() : closed)
}

async function changed(ctx: Context, { row }: Execution, { policyVersion, underPolicy, action }: Judged) {
  const now = await loadApproval(ctx, { actionId: row.actionId, approverUserId: confirmer(ctx) })
  if (now.policyVersion !== policyVersion) return changedMeanwhile()
  const counted = underPolicy ? await count(ctx, row.actionId, action) : null
  return counted !== null && 'status' in counted ? counted : null
}
