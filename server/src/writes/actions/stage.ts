import { createHash, randomUUID } from 'node:crypto'
import { refuse } from '../../kernel/http/index.ts'
import { newId, newUuid } from '../../kernel/ids/index.ts'
import { canonicalText, type JsonObject } from '../../kernel/json/index.ts'
import { askingRows, mintKey, withFreshKey } from '../../tenancy/access/index.ts'
import { type Context, personOfCredential } from '../../tenancy/context/index.ts'
import { type Calls, onBehalfOf } from '../../tools/calls/index.ts'
import type { Catalog, Tool } from '../../tools/catalog/index.ts'
import { writtenDown } from '../writes/index.ts'
import { type Unmet, unmetPrecondition } from './confirm/precondition.ts'
import { findStaged, insertToken, isFull, stageAction } from './queries.ts'

export type StageInput = {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly catalog: Catalog
  /** The route or surface that the proposal came through. */
  readonly source: string
  readonly sessionId?: string | null
  readonly rationale?: string | null
  /** The caller's own key: the same request under the same key returns the same action. */
  readonly stageKey?: string | null
  /** The token speaks for this person and for no one else. */
  readonly approverUserId?: number | null
  /** The token is for the customer whom the action is about. */
  readonly selfConfirm?: boolean
}

export type Staged =
  | {
      readonly kind: 'staged'
      readonly tool: Tool
      readonly arguments: JsonObject
      readonly actionId: string
      readonly token: string
      readonly expiresAt: Date
      readonly summary: string
    }
  /** So many writes wait already that no further one is taken. */
  | { readonly kind: 'full'; readonly message: string }
  | Unmet

/** Writes down a proposal, which then waits for a person. Only the precondition's read reaches the endpoint. */
export async function stage(ctx: Context, calls: Calls, input: StageInput): Promise<Staged> {
  const earlier = await stagedBefore(ctx, input)
  if (earlier !== null) return earlier
  const { tool, catalog, arguments: given, sessionId = null } = input
  const onBehalf = onBehalfOf(ctx.asking)
  const unmet = await unmetPrecondition(ctx, calls, catalog, { tool, arguments: given, onBehalf, sessionId })
  if (unmet !== null) return unmet
  // There may be room again by the time that we look why there was none.
  const place = () => insert(ctx, calls, input)
  const made = (await place()) ?? (await stagedBefore(ctx, input)) ?? (await noRoom(ctx)) ?? (await place())
  // It was neither made nor there before: the key that asks is gone, or its whole tenant.
  if (made === null) throw goneMeanwhile()
  return made
}

async function noRoom({ db, asking, settings }: Context): Promise<Staged | null> {
  const most = settings.ai.approvals.maxPending
  const found = await db.one(isFull, { tenantId: asking.tenantId, mostPending: most })
  if (found?.full !== true) return null
  const message = `${most} writes wait for a person already, which is the most. Confirm or reject some of them first.`
  return { kind: 'full', message }
}

async function insert(ctx: Context, calls: Calls, input: StageInput): Promise<Staged | null> {
  const { asking, db, clock, keyring, settings } = ctx
  const { tool, arguments: given } = input
  const actionId = newUuid(clock.now())
  const { scopeId, customer } = asking
  const subject = customer?.id ?? null
  const destination = await calls.destinationOf(ctx, tool, given)
  const written = writtenDown(tool, given, { scopeId, subject, destination })
  return await withFreshKey(
    () => mintKey(keyring, 'action', asking.tenantId),
    async (token) => {
      // The trail of a workspace has one end, which each of its writes locks until it is committed.
      const made = await db.inLine(`trail ${asking.tenantId}`, stageAction, {
        tenantId: asking.tenantId,
        ...askingRows(asking),
        actionId,
        tool: tool.name,
        ...written,
        rationale: input.rationale ?? null,
        risk: tool.risk,
        scopeId,
        subject,
        sessionId: input.sessionId ?? null,
        userId: asking.actor.userId ?? 0,
        personId: personOfCredential(asking.actor),
        idempotencyKey: `act_${randomUUID()}`,
        stageKey: input.stageKey ?? null,
        stageHash: input.stageKey == null ? null : stageHash(ctx, input),
        mostPending: settings.ai.approvals.maxPending,
        windowSeconds: settings.ai.approvals.expiry[tool.risk] / 1000,
        source: input.source,
        eventId: newId('evt'),
        tokenHash: token.hash,
        tokenPrefix: token.prefix,
        approverUserId: input.approverUserId ?? null,
        selfConfirm: input.selfConfirm ?? false,
      })
      if (made === undefined) return null
      const { summary } = written
      return { kind: 'staged', tool, arguments: given, actionId, token: token.key, expiresAt: made.expiresAt, summary }
    },
  )
}

async function stagedBefore(ctx: Context, input: StageInput): Promise<Staged | null> {
  if (input.stageKey == null) return null
  const { db, asking, keyring } = ctx
  const found = await db.one(findStaged, { tenantId: asking.tenantId, stageKey: input.stageKey })
  if (found === undefined) return null
  if (found.stageHash !== stageHash(ctx, input)) {
    throw refuse(
      'idempotency_conflict',
      'This Idempotency-Key has already staged something else. Use a new key for each new request.',
    )
  }
  const token = mintKey(keyring, 'action', asking.tenantId)
  const minted = await db.run(insertToken, {
    tenantId: asking.tenantId,
    ...askingRows(asking),
    actionId: found.actionId,
    tokenHash: token.hash,
    tokenPrefix: token.prefix,
    approverUserId: input.approverUserId ?? null,
    selfConfirm: input.selfConfirm ?? false,
  })
  if (minted === 0) throw goneMeanwhile()
  const { actionId, expiresAt, summary } = found
  return {
    kind: 'staged',
    tool: input.tool,
    arguments: input.arguments,
    actionId,
    token: token.key,
    expiresAt,
    summary,
  }
}

const goneMeanwhile = () =>
  refuse(
    'invalid_api_key',
    'This key was revoked while the write was being staged. Nothing was staged; use a living key.',
  )

/**
 * Everything that the request says, and for whom: a request that differs must not get an action that is about somebody else. The hash is
 * stored. A new member must be left out where the request has none, or every key from before the deployment would conflict.
 */
function stageHash({ asking }: Context, input: StageInput): string {
  const request = {
    approver: input.approverUserId ?? null,
    arguments: input.arguments,
    rationale: input.rationale ?? null,
    scope_id: asking.scopeId,
    subject: asking.customer?.id ?? null,
    tool: input.tool.name,
  }
  return createHash('sha256').update(canonicalText(request)).digest('hex')
}
