import * as contract from '@tether/contract'
import type { z } from 'zod'
import type { Context } from '../../ground/context/index.ts'
import { type DeliveryRow, listDeliveries, listFailures } from './queries.ts'

export type Delivery = z.output<typeof contract.Delivery>
export type DeliveriesQuery = z.output<typeof contract.DeliveriesQuery>
export type DeliveriesPage = z.output<typeof contract.Deliveries>

/**
 * Mail is delivered by a duty with a queue of its own, and listed here all the same: for an `event` that it calls its own,
 * its room answers. `app.ts` hands it in.
 */
export type OtherDeliveries = {
  /** Whether this is a kind of mail. */
  owns(event: string): boolean
  list(ctx: Context, query: DeliveriesQuery & { readonly limit: number }): Promise<DeliveriesPage>
}

export const noOthers: OtherDeliveries = {
  owns: () => false,
  list: async () => ({ deliveries: [], count: 0, nextBefore: null }),
}

export async function deliveriesOf(
  ctx: Context,
  query: DeliveriesQuery,
  others: OtherDeliveries,
): Promise<DeliveriesPage> {
  const limit = contract.clampLimit(query.limit, contract.DELIVERIES_PAGE.most, contract.DELIVERIES_PAGE.preset)
  const { failed, event = null, actionId = null, eventId = null, before = null } = query
  if (event !== null && others.owns(event)) return await others.list(ctx, { ...query, limit })
  const delivered = failed === undefined ? null : failed === 'false'
  const statement = delivered === false ? listFailures : listDeliveries
  // One more than asked for tells whether anything follows.
  const rows = await ctx.db.rows(statement, {
    tenantId: ctx.asking.tenantId,
    delivered,
    event,
    actionId,
    eventId,
    before,
    limit: limit + 1,
  })
  const shown = rows.slice(0, limit)
  return {
    deliveries: shown.map(deliveryOf),
    count: shown.length,
    nextBefore: rows.length > limit ? (shown.at(-1)?.deliveryId ?? null) : null,
  }
}

export const deliveryOf = ({ deliveryId: _ours, attemptedAt, retryAt, ...row }: DeliveryRow): Delivery => ({
  ...row,
  attemptedAt: attemptedAt.toISOString(),
  retryAt: retryAt?.toISOString() ?? null,
})
