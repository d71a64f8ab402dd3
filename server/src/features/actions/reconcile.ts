import type { Answer } from '../../foundation/http/index.ts'
import { isObject, parseJson } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { confirmAnswer, type Said } from './answers.ts'
import type { ConfirmParts } from './confirm.ts'
import { claimAgain, execute } from './execute.ts'
import * as sql from './queries.ts'

/**
 * Sends an indeterminate write again under its original idempotency key, which the endpoint claims: it performs now, or
 * answers what it performed then. Safe to repeat: of two at once, one asks.
 */
export async function reconcile(ctx: Context, parts: ConfirmParts, actionId: string, source: string): Promise<Answer> {
  const tenantId = ctx.asking.tenantId
  const row = await ctx.db.one(sql.findAction, { tenantId, actionId })
  if (row === undefined) return confirmAnswer(actionId, null, unknown())
  if (row.state !== 'indeterminate') return confirmAnswer(actionId, row, settledAlready(row))
  const catalog = await parts.catalogs.of(ctx)
  const tool = catalog.find(row.tool)
  if (tool === undefined || !tool.isWrite) {
    const errorMessage = `The catalog has no write called "${row.tool}" any more. Register it again, then reconcile.`
    return confirmAnswer(actionId, row, { status: 'HandlerMissing', errorCode: 'HANDLER_NOT_REGISTERED', errorMessage })
  }
  const value = parseJson(row.arguments)
  const execution = {
    row,
    tool,
    arguments: isObject(value) ? value : {},
    catalog,
    userId: ctx.asking.userId ?? 0,
    userRole: ctx.asking.userRole,
    source,
  }
  await parts.faults.at('before_claim')
  const claimed = await claimAgain(ctx, execution)
  if (claimed === undefined) return await overtaken(ctx, row)
  await parts.faults.at('after_claim')
  const said = await execute(ctx, parts, execution, claimed)
  const after = await ctx.db.one(sql.findAction, { tenantId, actionId })
  return confirmAnswer(actionId, after ?? row, after?.state === 'executed' ? { status: 'Executed' } : said)
}

/** Another reconcile asks, or has its answer by now. */
async function overtaken(ctx: Context, row: sql.ActionRow): Promise<Answer> {
  const now = (await ctx.db.one(sql.findAction, { tenantId: ctx.asking.tenantId, actionId: row.actionId })) ?? row
  return confirmAnswer(row.actionId, now, now.state === 'indeterminate' ? asking() : settledAlready(now))
}

const unknown = (): Said => ({
  status: 'NotFound',
  errorCode: 'PENDING_ACTION_NOT_FOUND',
  errorMessage: 'There is no action with this id.',
})
const asking = (): Said => ({
  status: 'Conflict',
  errorCode: 'ACTION_ALREADY_IN_PROGRESS',
  errorMessage: 'Another reconcile is asking the endpoint about this action. Look at it again in a moment.',
})
const settledAlready = (row: sql.ActionRow): Said => ({
  status: 'Conflict',
  errorCode: 'ACTION_NOT_INDETERMINATE',
  errorMessage: `This action is ${row.state}: there is nothing to reconcile, and nothing was called.`,
})
