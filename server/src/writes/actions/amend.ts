import { randomUUID } from 'node:crypto'
import { newId, newUuid } from '../../kernel/ids/index.ts'
import type { JsonObject } from '../../kernel/json/index.ts'
import { askingRows, mintKey, withFreshKey } from '../../tenancy/access/index.ts'
import type { Context, Decider } from '../../tenancy/context/index.ts'
import { type NotUsed, refuseUse } from '../../tools/calls/index.ts'
import type { Tool } from '../../tools/catalog/index.ts'
import { mayReject, recordTried } from '../approvals/index.ts'
import { strictest, writtenDown } from '../writes/index.ts'
import { amendAction } from './amend-queries.ts'
import { barred, type Decided } from './conclusion.ts'
import { onBehalfOfAction, writeOf } from './confirm/handler.ts'
import { actionMeant, loadAction, notFound } from './confirm/lookup.ts'
import { type Unmet, unmetPrecondition } from './confirm/precondition.ts'
import type { ActionRow } from './queries.ts'
import { rejectionFrom } from './reject.ts'
import type { ActionRooms } from './rooms.ts'

type AmendInput = {
  readonly actionId: string
  readonly arguments: JsonObject
  readonly reason: string | null
  readonly source: string
}

export type Amended =
  | {
      readonly kind: 'amended'
      readonly replaces: string
      readonly actionId: string
      readonly tool: Tool
      readonly arguments: JsonObject
      /** Only for a secret key without a session: a signed-in person needs none. */
      readonly token: string | null
      readonly expiresAt: Date
      readonly summary: string
    }
  /** It is no longer there to be amended, or not for this caller. */
  | { readonly kind: 'decided'; readonly decided: Decided }
  | Unmet
  | NotUsed

/**
 * Proposes the same write with other arguments. It takes what a no takes; the yeses of the first action are not carried over, and
 * the first is rejected in the statement that stages the second, so that at most one of them ever runs.
 */
export async function amend(
  ctx: Context,
  rooms: Pick<ActionRooms, 'catalogs' | 'calls'>,
  input: AmendInput,
): Promise<Amended> {
  const actionId = actionMeant(ctx, input.actionId)
  const judged = await mayReject(ctx, actionId)
  if (!judged.ok) {
    await recordTried(ctx, judged.tried, actionId, 'amend')
    return decided({ actionId: input.actionId, conclusion: barred(judged), action: null })
  }
  const action = await loadAction(ctx, actionId, input.source)
  if (action === undefined) return decided({ actionId: input.actionId, conclusion: notFound(), action: null })
  if (action.state !== 'pending') return decided({ actionId, conclusion: rejectionFrom(action), action })
  const catalog = await rooms.catalogs.of(ctx)
  const tool = writeOf(catalog, action)
  const used = { given: input.arguments, hasCustomer: action.subject !== null }
  const unusable = tool === undefined ? gone(action) : await refuseUse(ctx, rooms.calls, { tool, ...used })
  if (unusable !== null || tool === undefined) return unusable ?? gone(action)
  const onBehalf = onBehalfOfAction(ctx, action, judged.userId)
  const reading = { tool, arguments: input.arguments, onBehalf, sessionId: action.sessionId }
  const unmet = await unmetPrecondition(ctx, rooms.calls, catalog, reading)
  if (unmet !== null) return unmet
  await recordTried(ctx, judged.tried, actionId, 'amend')
  const made = await replace(ctx, { ...rooms, action, tool, input, by: judged })
  if (made !== undefined) return made
  const now = (await loadAction(ctx, actionId, input.source)) ?? action
  return decided({ actionId, conclusion: rejectionFrom(now), action: now })
}

type Replacing = Pick<ActionRooms, 'calls'> & {
  readonly action: ActionRow
  readonly tool: Tool
  readonly input: AmendInput
  readonly by: Decider
}

async function replace(ctx: Context, { calls, action, tool, input, by }: Replacing): Promise<Amended | undefined> {
  const { asking, db, clock, keyring, settings } = ctx
  const { arguments: given, reason, source } = input
  const newActionId = newUuid(clock.now())
  const risk = strictest(action.risk, tool.risk)
  const destination = await calls.destinationOf(ctx, tool, given)
  const written = writtenDown(tool, given, { ...action, destination })
  const wantsToken = asking.kind === 'secret' && asking.actor.by !== 'person'
  return await withFreshKey(
    () => (wantsToken ? mintKey(keyring, 'action', asking.tenantId) : null),
    async (token) => {
      const made = await db.one(amendAction, {
        tenantId: asking.tenantId,
        ...askingRows(asking),
        actionId: action.actionId,
        newActionId,
        reason: reason === null ? 'amended' : `amended: ${reason}`,
        userId: by.userId,
        personId: by.personId,
        ...written,
        risk,
        idempotencyKey: `act_${randomUUID()}`,
        windowSeconds: settings.ai.approvals.expiry[risk] / 1000,
        source,
        rejectedEventId: newId('evt'),
        pendingEventId: newId('evt'),
        tokenHash: token?.hash ?? null,
        tokenPrefix: token?.prefix ?? null,
      })
      if (made === undefined) return undefined
      return {
        kind: 'amended',
        replaces: action.actionId,
        actionId: newActionId,
        tool,
        arguments: given,
        token: token?.key ?? null,
        expiresAt: made.expiresAt,
        summary: written.summary,
      }
    },
  )
}

const decided = (as: Decided): Amended => ({ kind: 'decided', decided: as })

const gone = ({ tool }: ActionRow): NotUsed => ({
  kind: 'unknown_tool',
  toolName: tool,
  message: `The catalog no longer has a write called "${tool}". Register it again, then amend.`,
})
