import { type Context, personOfCredential } from '../../tenancy/context/index.ts'
import { type ActionRooms, type ActionRow, judgedAction, storedArguments, writeOf } from '../actions/index.ts'
import { type Outlook, outlookFor } from '../approvals/index.ts'
import { approvedAmong } from './queries.ts'

/** For how many more people an action waits that the caller has approved; null where a yes of theirs is still asked for. */
export const waitsForOthers = ({ caller, callerApproved }: Outlook): number | null =>
  callerApproved && caller?.ok === true && caller.received < caller.required ? caller.required - caller.received : null

/** Which of these actions wait for others, after the yes of the caller, and for how many. */
export async function alreadyApproved(
  ctx: Context,
  { catalogs }: Pick<ActionRooms, 'catalogs'>,
  actions: readonly ActionRow[],
): Promise<ReadonlyMap<string, number>> {
  const { tenantId, actor } = ctx.asking
  if (actor.userId === null || actions.length === 0) return new Map()
  const actionIds = actions.map(({ actionId }) => actionId)
  const rows = await ctx.db.rows(approvedAmong, {
    tenantId,
    actionIds,
    userId: actor.userId,
    personId: personOfCredential(actor),
  })
  const approved = new Set(rows.map(({ actionId }) => actionId))
  const mine = actions.filter(({ actionId }) => approved.has(actionId))
  if (mine.length === 0) return new Map()
  const catalog = await catalogs.of(ctx)
  const waits = await Promise.all(
    mine.map(async (action) => {
      const judged = judgedAction(action, writeOf(catalog, action), storedArguments(action))
      return [action.actionId, waitsForOthers(await outlookFor(ctx, judged))] as const
    }),
  )
  return new Map(waits.flatMap(([actionId, more]) => (more === null ? [] : [[actionId, more]])))
}
