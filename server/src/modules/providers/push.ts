import { type ConfigurationPart, MOST_PUSHED_AT_ONCE, type PushResult } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import { newId } from '../../kernel/ids/index.ts'
import { lockProvider, notABusiness, providerOf } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { checkContent, contentText, inOrder, readContent } from './content.ts'
import type { Parts } from './part.ts'
import * as sql from './push-queries.ts'
import { listIds } from './queries.ts'
import { sendPart } from './send-part.ts'

type PushInput = {
  readonly parts: readonly ConfigurationPart[]
  readonly tenantIds?: readonly number[] | undefined
}

export type Pushed =
  | { readonly kind: 'done'; readonly results: PushResult[] }
  | { readonly kind: 'accepted'; readonly pushId: string; readonly total: number }

/**
 * Writes down what is to be done for every business, and does it at once where they are few. What a process leaves undone, the
 * regular work does.
 */
export async function pushConfiguration(ctx: Context, input: PushInput, parts: Parts): Promise<Pushed> {
  const asked = inOrder(input.parts)
  const content = await readContent(ctx, parts, asked)
  const provider = providerOf(ctx.asking)
  const { tenantId } = provider
  const pushId = newId('psh')
  const total = await ctx.db.transaction(async (tx) => {
    await lockProvider(tx, provider)
    const wanted = input.tenantIds === undefined ? null : [...new Set(input.tenantIds)]
    const found = await tx.rows(listIds, { providerId: tenantId, tenantIds: wanted })
    if (wanted !== null && found.length < wanted.length) throw notABusiness()
    const tenantIds = found.map((business) => business.tenantId)
    const made = await tx.one(sql.insertPush, {
      tenantId,
      pushId,
      content: contentText(content),
      total: tenantIds.length,
    })
    if (made === undefined) throw new Error('The insert of the push returned no row.')
    await tx.run(sql.insertItems, { tenantId, pushId, number: made.number, tenantIds, parts: asked })
    return tenantIds.length
  })
  if (total > MOST_PUSHED_AT_ONCE) return { kind: 'accepted', pushId, total }
  const checked = await checkContent(ctx, parts, content)
  for (const { tenantId: businessId, part } of await ctx.db.rows(sql.listItems, { tenantId, pushId }))
    await sendPart(ctx, parts, { tenantId, pushId, businessId, part }, checked)
  await ctx.db.run(sql.finishPush, { tenantId, pushId })
  return { kind: 'done', results: (await resultsOf(ctx, pushId)).results }
}

async function resultsOf({ db, asking: { tenantId } }: Context, pushId: string) {
  const rows = await db.rows(sql.listItems, { tenantId, pushId })
  const results = rows.flatMap(({ status, error, ...row }): PushResult[] =>
    status === null ? [] : [{ ...row, status, ...(error === null ? {} : { error }) }],
  )
  const waiting = new Set(rows.filter(({ status }) => status === null).map((row) => row.tenantId))
  return { results, waiting: waiting.size }
}

export async function readPush(ctx: Context, pushId: string) {
  const push = await ctx.db.one(sql.findPush, { tenantId: ctx.asking.tenantId, pushId })
  if (push === undefined) throw refuse('push_not_found', 'You have no push with this id, or it is no longer kept.')
  const { total, finishedAt } = push
  const { results, waiting } = await resultsOf(ctx, pushId)
  return { pushId, total, done: total - waiting, finishedAt: finishedAt?.toISOString() ?? null, results }
}
