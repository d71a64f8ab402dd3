import * as contract from '@tether/contract'
import type { z } from 'zod'
import type { Context } from '../context/index.ts'
import type { MailDeliveries } from '../mail/index.ts'
import { type DeliveryRow, listDeliveries, listFailures } from './queries.ts'

type Delivery = z.output<typeof contract.Delivery>
type DeliveriesQuery = z.output<typeof contract.DeliveriesQuery>
type DeliveriesPage = z.output<typeof contract.Deliveries>

const NO_DELIVERIES: DeliveriesPage = { deliveries: [], count: 0, nextBefore: null }

/** Lists attempts. For a kind of mail, the room that sends it makes the list. */
export async function deliveriesOf(
  ctx: Context,
  query: DeliveriesQuery,
  mail: MailDeliveries,
): Promise<DeliveriesPage> {
  const limit = contract.clampLimit(query.limit, contract.DELIVERIES_PAGE.most, contract.DELIVERIES_PAGE.preset)
  const { event = null, actionId = null, eventId = null, before = null } = query
  const failed = query.failed === undefined ? undefined : query.failed === 'true'
  if (event !== null && mail.owns(event)) {
    // A mail belongs to no action.
    return actionId === null ? await mail.list(ctx, ctx.asking.tenantId, { ...query, failed, limit }) : NO_DELIVERIES
  }
  const delivered = failed === undefined ? null : !failed
  const statement = delivered === false ? listFailures : listDeliveries
  // One more row than asked for shows whether anything follows.
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
