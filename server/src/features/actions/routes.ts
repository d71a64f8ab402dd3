import * as contract from '@tether/contract'
import { z } from 'zod'
import { refuse } from '../../foundation/http/index.ts'
import { isUuid } from '../../foundation/ids/index.ts'
import { type Route, route, SECRET_ONLY } from '../../ground/access/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { type ConfirmParts, confirm } from './confirm.ts'
import { stageByRequest } from './direct-stage.ts'
import { listStaged } from './list.ts'
import { reconcile } from './reconcile.ts'
import { rejectAction } from './reject.ts'
import { stageKeyOf } from './stage-key.ts'

const here = { lane: 'runtime', group: 'Actions' } as const
const IdParam = z.object({ actionId: z.string() })
const EXAMPLE = { params: { actionId: '019aa7a1-6c2e-7b1f-9d3a-2f4c5e6d7a8b' } }
const staging = {
  400: { schema: contract.NotStaged },
  403: { schema: contract.NotStaged },
  404: { schema: contract.NotStaged },
  409: { schema: contract.NotStaged },
  502: { schema: contract.NotStaged },
}
const deciding = Object.fromEntries(
  [200, 202, 400, 403, 404, 409, 410, 451, 503].map((status) => [status, { schema: contract.ConfirmAnswer }]),
)

const stagingRoutes = (parts: ConfirmParts): readonly Route[] => [
  route({
    ...here,
    reach: SECRET_ONLY,
    tokens: true,
    method: 'POST',
    path: '/v1/actions',
    summary: 'Stage a write',
    description:
      'Nothing reaches the endpoint until a person confirms. With an Idempotency-Key header the same request gives the same action back.',
    body: contract.StageRequest,
    answers: { 200: { schema: contract.StageAnswer }, ...staging },
    errors: ['idempotency_conflict', 'invalid_customer_token', 'invalid_upstream_token'],
    example: { body: { tool: 'refund_order', arguments: { number: 'A-1001' } } },
    handle: async (ctx, { body, head }) => {
      const stageKey = stageKeyOf(head)
      return await stageByRequest(ctx, parts.calls, await parts.catalogs.of(ctx), body, {
        source: 'POST /v1/actions',
        stageKey,
      })
    },
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'GET',
    path: '/v1/actions',
    summary: 'Staged writes, newest first',
    query: contract.ActionListQuery,
    answers: { 200: { schema: contract.ActionList } },
    handle: (ctx, { query }) =>
      listStaged(ctx, {
        status: query.status ?? 'pending',
        tool: query.tool ?? null,
        scopeId: query.scope ?? null,
        limit: contract.clampLimit(query.limit, 200, 50),
      }),
  }),
]

const decidingRoutes = (parts: ConfirmParts): readonly Route[] => [
  route({
    ...here,
    reach: { who: 'tenant', kinds: ['secret', 'action'] },
    forPages: true,
    method: 'POST',
    path: '/v1/actions/:actionId/confirm',
    summary: 'Confirm a staged write, and run it',
    description: 'Once, however often and from wherever it is confirmed. The body may be left out.',
    params: IdParam,
    body: contract.ConfirmRequest,
    bodyOptional: true,
    answers: deciding,
    errors: ['origin_not_allowed'],
    example: { ...EXAMPLE, body: { acknowledgeHighRisk: true } },
    handle: (ctx, { params, body }) =>
      confirm(ctx, parts, {
        actionId: ownAction(ctx, params.actionId),
        acknowledgeHighRisk: body?.acknowledgeHighRisk ?? false,
        confirmKey: body?.idempotencyKey ?? null,
        payloadHash: body?.payloadHash ?? null,
        source: 'POST /v1/actions/{actionId}/confirm',
      }),
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'POST',
    path: '/v1/actions/:actionId/reject',
    summary: 'Decline a staged write',
    params: IdParam,
    body: contract.RejectRequest,
    bodyOptional: true,
    answers: deciding,
    example: { ...EXAMPLE, body: { reason: 'Already paid back by hand' } },
    handle: (ctx, { params, body }) =>
      rejectAction(ctx, {
        actionId: ownAction(ctx, params.actionId),
        reason: body?.reason ?? null,
        source: 'POST /v1/actions/{actionId}/reject',
      }),
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'POST',
    path: '/v1/actions/:actionId/reconcile',
    summary: 'Settle a write whose outcome is not known',
    description:
      'Sends it again under its original idempotency key, which the endpoint claims. Safe to repeat: of two at once, one asks.',
    params: IdParam,
    answers: deciding,
    example: EXAMPLE,
    handle: (ctx, { params }) =>
      reconcile(ctx, parts, ownAction(ctx, params.actionId), 'POST /v1/actions/{actionId}/reconcile'),
  }),
]

export const actionRoutes = (parts: ConfirmParts): readonly Route[] => [
  ...stagingRoutes(parts),
  ...decidingRoutes(parts),
]

const NO_ACTION = '00000000-0000-0000-0000-000000000000'

/** An id that is none names no action. A token speaks of the one action that it was minted with. */
function ownAction({ asking }: Context, given: string): string {
  const actionId = isUuid(given) ? given.toLowerCase() : NO_ACTION
  if (asking.kind === 'action' && asking.actionId !== actionId) {
    throw refuse(
      'insufficient_scope',
      'This token confirms the one action that it was issued for, and this is another.',
    )
  }
  return actionId
}
