import { randomUUID } from 'node:crypto'
import { Refusal } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { type ActionRooms, confirm, type Decided, reject } from '../actions/index.ts'

export type Decision = {
  readonly actionId: string
  readonly decision: 'confirm' | 'reject'
  readonly reason: string | null
  /** Whether the visitor who asked for it may read the reason of a no. */
  readonly tellVisitor: boolean
  readonly acknowledgeHighRisk: boolean
  readonly payloadHash: string | null
}

/** What became of one decision. One that failed on our side says so, and the others are answered all the same. */
export type DecidedOne =
  | { readonly kind: 'decided'; readonly decided: Decided }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly errorId?: string }

/**
 * Decides several, each as if alone: with its own lines in the trail and its own result, in the order of the list. One after the
 * other, because the precondition of a write has to see what those before it have done.
 */
export async function decideAll(
  ctx: Context,
  rooms: ActionRooms,
  decisions: readonly Decision[],
  source: string,
): Promise<readonly DecidedOne[]> {
  const results: DecidedOne[] = []
  for (const decision of decisions) results.push(await decideOne(ctx, rooms, decision, source))
  return results
}

async function decideOne(
  ctx: Context,
  rooms: ActionRooms,
  { actionId, decision, reason, tellVisitor, acknowledgeHighRisk, payloadHash }: Decision,
  source: string,
): Promise<DecidedOne> {
  try {
    const decided =
      decision === 'reject'
        ? await reject(ctx, { actionId, reason, tellVisitor, source })
        : await confirm(ctx, rooms, { actionId, acknowledgeHighRisk, payloadHash, confirmKey: null, source })
    return { kind: 'decided', decided }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', code: error.code, message: error.message }
    const errorId = `err_${randomUUID()}`
    ctx.log.error({ errorId, requestId: ctx.asking.requestId, error }, 'One of several decisions failed on our side.')
    const message = 'This decision failed on our side. Look at the action before you decide again.'
    return { kind: 'refused', code: 'internal_error', message, errorId }
  }
}
