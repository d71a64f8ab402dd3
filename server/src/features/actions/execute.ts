import { randomUUID } from 'node:crypto'
import { isUnavailable } from '../../foundation/db/index.ts'
import { newId } from '../../foundation/ids/index.ts'
import type { JsonObject } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import type { Approves } from '../approvals/index.ts'
import type { Calls, Executed, OnBehalf } from '../calls/index.ts'
import type { Catalog, Tool } from '../catalog/index.ts'
import type { Said } from './answers.ts'
import type { Faults } from './fault-points.ts'
import { type ActionRow, findAction } from './queries.ts'
import { ask } from './read-check.ts'
import {
  beginReconcile,
  claimAction,
  exhaust,
  fail,
  loseContact,
  recordVerification,
  release,
  succeed,
} from './settle-queries.ts'

export type Execution = {
  readonly row: ActionRow
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly catalog: Catalog
  readonly userId: number
  readonly userRole: string
  readonly source: string
}

/** By what an action may run; a claim that finds another policy, or one of these people not as they were, is refused. */
export type Approval = { readonly policyVersion: number; readonly people: Approves['people'] }

/** Under what an outcome is written: the claim that it belongs to, and who asks again when it is a reconcile. */
export type Claim = {
  readonly claimToken: string | null
  readonly reconcileToken: string | null
  readonly attempts: number
}

type Parts = { readonly calls: Calls; readonly faults: Faults }

const MOST_ATTEMPTS = 3
const VERIFY_WITHIN_MS = 5_000
// Past this nobody is reading it back any more: the process that should have is gone.
const VERIFY_BELIEVED_SECONDS = 30

/** Takes the right to execute. Undefined when another confirm has it, or what was judged is not so any more: one claim wins. */
export async function claim(
  ctx: Context,
  { row, userId }: Execution,
  { policyVersion, people }: Approval,
): Promise<Claim | undefined> {
  const token = randomUUID()
  const claimed = await ctx.db.one(claimAction, {
    tenantId: ctx.asking.tenantId,
    actionId: row.actionId,
    claimToken: token,
    leaseSeconds: leaseSeconds(ctx),
    userId,
    payloadHash: row.payloadHash,
    policyVersion,
    approverIds: people.map((person) => person.userId),
    roles: people.map(({ role }) => role),
  })
  return claimed === undefined ? undefined : { claimToken: token, reconcileToken: null, attempts: claimed.attempts }
}

/** Takes the right to ask again. Undefined while another reconcile has it, and when nothing is unknown any more. */
export async function claimAgain(ctx: Context, { row }: Execution): Promise<Claim | undefined> {
  const token = randomUUID()
  const { tenantId } = ctx.asking
  const claimed = await ctx.db.one(beginReconcile, {
    tenantId,
    actionId: row.actionId,
    reconcileToken: token,
    leaseSeconds: leaseSeconds(ctx),
  })
  if (claimed === undefined) return undefined
  return { claimToken: row.claimToken, reconcileToken: token, attempts: row.attempts }
}

const leaseSeconds = ({ settings: { ai, toolTransport } }: Context): number =>
  ai.approvals.executionLeaseSeconds || toolTransport.timeoutSeconds + 10

export const onBehalfOfAction = (row: ActionRow, userId: number, userRole: string): OnBehalf => ({
  // The staged scope and customer stand; a header at confirm changes nothing.
  scopeId: row.scopeId,
  customerId: row.subject,
  userId: userId === 0 ? null : userId,
  userRole,
})

/** Sends the write, once, and writes down what became of it. */
export async function execute(
  ctx: Context,
  { calls, faults }: Parts,
  execution: Execution,
  claim: Claim,
): Promise<Said> {
  const { row, tool, arguments: given, userId, userRole } = execution
  await faults.at('before_send')
  const executed = await calls.execute(ctx, {
    tool,
    arguments: given,
    idempotencyKey: row.idempotencyKey,
    actionId: row.actionId,
    sessionId: row.sessionId,
    onBehalf: onBehalfOfAction(row, userId, userRole),
  })
  await faults.at('before_outcome')
  const said = await settle(ctx, execution, executed, claim)
  await faults.at('after_outcome')
  if (said.status === 'Executed') await verify(ctx, calls, execution)
  await faults.at('after_verify')
  return said
}

/** The outcome is written under the claim that it belongs to. Where somebody else has settled meanwhile, theirs is said. */
async function settle(ctx: Context, execution: Execution, executed: Executed, claim: Claim): Promise<Said> {
  const { said, write } = outcomeOf(ctx, execution, executed, claim)
  const written = await patiently(ctx, write)
  return written === undefined ? await standing(ctx, execution.row) : said
}

type Outcome = { readonly said: Said; readonly write: () => Promise<{ actionId: string } | undefined> }

function outcomeOf(
  ctx: Context,
  { row, tool, userId, source }: Execution,
  executed: Executed,
  { claimToken, reconcileToken, attempts }: Claim,
): Outcome {
  const { db } = ctx
  const at = { tenantId: ctx.asking.tenantId, actionId: row.actionId }
  if (executed.kind === 'executed') {
    const verifySeconds = tool.verify === null ? null : VERIFY_BELIEVED_SECONDS
    const values = { ...at, claimToken, userId, source, eventId: newId('evt'), result: executed.body, verifySeconds }
    return { said: { status: 'Executed' }, write: () => db.one(succeed, values) }
  }
  const { message } = executed
  if (executed.kind === 'failed') {
    const { code: errorCode } = executed
    const by = { claimToken, reconcileToken, userId, source, eventId: newId('evt') }
    const values = { ...at, ...by, errorCode, message, refused: false }
    return { said: terminal(errorCode, message), write: () => db.one(fail, values) }
  }
  if (executed.kind === 'retryable' && claimToken !== null && reconcileToken === null) {
    if (attempts >= MOST_ATTEMPTS) {
      const said = terminal('EXECUTION_ATTEMPTS_EXHAUSTED', message)
      return { said, write: () => db.one(exhaust, { ...at, claimToken, userId, source, message }) }
    }
    const said = { status: 'FailedRetryable', errorCode: 'EXECUTION_FAILED_RETRYABLE', errorMessage: message } as const
    return { said, write: () => db.one(release, { ...at, claimToken, message }) }
  }
  return { said: unknown(message), write: () => db.one(loseContact, { ...at, claimToken, reconcileToken, message }) }
}

const terminal = (errorCode: string, errorMessage: string): Said => ({
  status: 'FailedTerminal',
  errorCode,
  errorMessage,
})
const unknown = (errorMessage: string): Said => ({
  status: 'Indeterminate',
  errorCode: 'EXECUTION_INDETERMINATE',
  errorMessage,
})

/** Another one had the last word: a sweep, a reconcile, the first of two reconciles. */
async function standing(ctx: Context, { actionId }: ActionRow): Promise<Said> {
  const row = await ctx.db.one(findAction, { tenantId: ctx.asking.tenantId, actionId })
  if (row?.state === 'executed') return { status: 'Executed' }
  if (row?.state === 'failed') return terminal(row.errorCode ?? 'EXECUTION_FAILED', row.errorMessage ?? '')
  return unknown(row?.errorMessage ?? 'What became of this write is not known.')
}

/**
 * What was performed must be written down, so a database that is away for a moment is asked again. Safe: the outcome is
 * guarded by its claim, and a second write of the same one changes nothing. Past that the lease makes it indeterminate.
 */
async function patiently<Result>(ctx: Context, write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (attempt === 5 || !isUnavailable(error)) throw error
      await ctx.clock.wait(200 * 2 ** attempt)
    }
  }
}

/** Reads back whether the effect is there. What it finds changes nothing about the execution: nothing runs it again. */
async function verify(
  ctx: Context,
  calls: Calls,
  { row, tool, arguments: given, catalog, userId, userRole, source }: Execution,
) {
  if (tool.verify === null) return
  const checked = await ask(
    ctx,
    { calls, catalog },
    {
      check: tool.verify,
      arguments: given,
      onBehalf: onBehalfOfAction(row, userId, userRole),
      sessionId: row.sessionId,
      withinMs: VERIFY_WITHIN_MS,
    },
  )
  const status = checked.kind === 'holds' ? 'verified' : 'unverified'
  const values = {
    tenantId: ctx.asking.tenantId,
    actionId: row.actionId,
    status,
    reason: checked.reason,
    eventId: newId('evt'),
    handoffId: newId('evt'),
    source,
  } as const
  await patiently(ctx, () => ctx.db.one(recordVerification, values))
}
