import { type Context, personOfCredential } from '../../../tenancy/context/index.ts'
import { type Conclusion, type ConfirmInput, concluded, type Decided } from '../conclusion.ts'
import { findAction, findConfirmKey, note, reserveConfirmKey } from '../queries.ts'

/** Step 1. A confirm that is sent again under its key returns what the first one did, and runs nothing. */
export async function replay(ctx: Context, { actionId, confirmKey, source }: ConfirmInput): Promise<Decided | null> {
  if (confirmKey === null) return null
  const { tenantId, actor } = ctx.asking
  const userId = actor.userId ?? 0
  const known = await ctx.db.one(findConfirmKey, { tenantId, userId, confirmKey })
  if (known === undefined) return null
  if (known.actionId !== actionId) return { actionId, conclusion: keyReused(), action: null }
  const action = await ctx.db.one(findAction, { tenantId, actionId })
  if (action?.state !== 'executed') return null
  const by = { userId, personId: personOfCredential(actor), source }
  await ctx.db.run(note, { tenantId, actionId, event: 'replayed', ...by })
  return { actionId, conclusion: concluded('Replayed', null, null), action }
}

/** Just before the claim, the key is bound to the first action that it came with. */
export async function reserveKey(
  ctx: Context,
  { actionId, confirmKey }: ConfirmInput,
  userId: number,
): Promise<Conclusion | null> {
  if (confirmKey === null) return null
  const { tenantId } = ctx.asking
  await ctx.db.run(reserveConfirmKey, { tenantId, userId, confirmKey, actionId })
  const bound = await ctx.db.one(findConfirmKey, { tenantId, userId, confirmKey })
  return bound?.actionId === actionId ? null : keyReused()
}

const keyReused = (): Conclusion =>
  concluded(
    'Conflict',
    'IDEMPOTENCY_KEY_REUSED',
    'This idempotency key has already confirmed another action. Use a new key for each action.',
  )
