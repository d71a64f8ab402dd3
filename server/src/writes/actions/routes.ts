import * as contract from '@tether/contract'
import { z } from 'zod'
import { type JsonObject, member } from '../../kernel/json/index.ts'
import { ACTING, type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { amend } from './amend.ts'
import { amendedAnswer, calledAnswer, decidedAnswer, stagedAnswer } from './answers.ts'
import { confirm } from './confirm/confirm.ts'
import { reconcile } from './reconcile.ts'
import { reject } from './reject.ts'
import type { ActionRooms } from './rooms.ts'
import { stageByName, useTool } from './use-tool.ts'

const here = { lane: 'runtime', group: 'Actions' } as const
const EVERYBODY_WHO_DECIDES = { who: 'tenant', kinds: ['secret'], withSession: ['inbox', 'provider_inbox'] } as const
const IdParam = z.object({ actionId: z.string() })
const EXAMPLE = { params: { actionId: '019aa7a1-6c2e-7b1f-9d3a-2f4c5e6d7a8b' } }

/** One shape under every HTTP status; the description names the statuses that come under it. */
const deciding = Object.fromEntries(
  Map.groupBy(Object.entries(contract.CONFIRM_STATUSES), ([, { http }]) => http)
    .entries()
    .map(([http, statuses]) => {
      const description = statuses.map(([status]) => `\`${status}\``).join(', ')
      return [http, { schema: contract.ConfirmAnswer, description }]
    }),
)
const notStagedAnswers = Object.fromEntries(
  Object.entries(contract.NOT_STAGED).map(([status, { http }]) => [
    http,
    { schema: contract.NotStaged, description: `\`${status}\`` },
  ]),
)

const notStagedOrDecided = Object.fromEntries(
  Object.entries(notStagedAnswers).map(([http, { description }]) => {
    const confirm = member(deciding, http)
    const schema = confirm === undefined ? contract.NotStaged : z.union([contract.NotStaged, contract.ConfirmAnswer])
    return [http, { schema, description: [description, confirm?.description].filter(Boolean).join(', ') }]
  }),
)

const callRoute = (rooms: ActionRooms): Route =>
  route({
    ...here,
    group: 'Tools',
    reach: SECRET_ONLY,
    method: 'POST',
    path: '/v1/tools/:name/call',
    tokens: true,
    headers: [...ACTING, 'Idempotency-Key'],
    summary: 'Call one tool',
    description:
      'A read runs at once and answers 200, whatever happened at the endpoint: `status` says what. A write is staged and waits for a person; with an Idempotency-Key header the same request returns the same action.',
    params: z.object({ name: z.string() }),
    body: contract.CallRequest,
    answers: {
      200: { schema: z.union([contract.CallAnswer, contract.StageAnswer]) },
      403: { schema: z.union([contract.CallRefusal, contract.NotStaged]) },
      409: { schema: contract.NotStaged },
      502: { schema: contract.NotStaged },
    },
    errors: ['unknown_tool', 'idempotency_conflict', 'invalid_customer_token', 'invalid_upstream_token'],
    example: { params: { name: 'get_order' }, body: { arguments: { number: 'A-1001' } } },
    handle: async (ctx, { params, body, head }) =>
      calledAnswer(
        await useTool(ctx, rooms, {
          tool: params.name,
          arguments: body.arguments,
          stageKeys: head.valuesOf('idempotency-key'),
          source: 'POST /v1/tools/{name}/call',
          surface: 'direct',
          signal: head.signal,
        }),
      ),
  })

const stagingRoute = (rooms: ActionRooms): Route =>
  route({
    ...here,
    reach: SECRET_ONLY,
    tokens: true,
    headers: [...ACTING, 'Idempotency-Key'],
    method: 'POST',
    path: '/v1/actions',
    summary: 'Stage a write',
    description:
      'Nothing reaches the endpoint until a person confirms, except the read of a precondition. With an Idempotency-Key header the same request returns the same action.',
    body: contract.StageRequest,
    answers: { 200: { schema: contract.StageAnswer }, ...notStagedAnswers },
    errors: ['idempotency_conflict', 'invalid_customer_token', 'invalid_upstream_token'],
    example: { body: { tool: 'refund_order', arguments: { number: 'A-1001' } } },
    handle: async (ctx, { body, head }) => {
      const stageKeys = head.valuesOf('idempotency-key')
      const request = { ...body, arguments: body.arguments, stageKeys, source: 'POST /v1/actions' }
      return stagedAnswer(await stageByName(ctx, rooms, request))
    },
  })

const reconcileRoute = (rooms: ActionRooms): Route =>
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'POST',
    path: '/v1/actions/:actionId/reconcile',
    tokens: 'upstream',
    headers: ['X-Service-User-Id'],
    summary: 'Settle a write whose outcome is not known',
    description:
      'Sends it again under its original idempotency key, which the endpoint claims. Safe to repeat: of two at once, one asks. Where the endpoint has moved since it was sent, nothing is called unless the body says so. A write whose tool declares `idempotency: "none"` is never sent again: `performed` says what a person found out.',
    params: IdParam,
    body: contract.ReconcileRequest,
    answers: deciding,
    errors: ['invalid_upstream_token'],
    example: EXAMPLE,
    handle: async (ctx, { params: { actionId }, body }) =>
      decidedAnswer(
        await reconcile(ctx, rooms, {
          actionId,
          source: 'POST /v1/actions/{actionId}/reconcile',
          sendToNewEndpoint: body.sendToNewEndpoint ?? false,
          said: body.performed === undefined ? null : { performed: body.performed, note: body.note ?? null },
        }),
      ),
  })

const decidingRoutes = (rooms: ActionRooms): readonly Route[] => [
  route({
    ...here,
    reach: { who: 'tenant', kinds: ['secret', 'action'], withSession: ['inbox', 'provider_inbox'] },
    forPages: true,
    method: 'POST',
    path: '/v1/actions/:actionId/confirm',
    tokens: 'upstream',
    headers: ['X-Service-User-Id', 'X-Service-User-Role'],
    summary: 'Confirm a staged write, and run it',
    description: 'It runs once, however often and from wherever it is confirmed. The body may be left out.',
    params: IdParam,
    body: contract.ConfirmRequest,
    answers: deciding,
    errors: ['origin_not_allowed', 'invalid_upstream_token'],
    example: { ...EXAMPLE, body: { acknowledgeHighRisk: true } },
    handle: async (ctx, { params, body }) =>
      decidedAnswer(
        await confirm(ctx, rooms, {
          actionId: params.actionId,
          acknowledgeHighRisk: body.acknowledgeHighRisk ?? false,
          confirmKey: body.idempotencyKey ?? null,
          payloadHash: body.payloadHash ?? null,
          source: 'POST /v1/actions/{actionId}/confirm',
        }),
        ctx.asking.actor.by === 'customer',
      ),
  }),
  route({
    ...here,
    reach: EVERYBODY_WHO_DECIDES,
    method: 'POST',
    path: '/v1/actions/:actionId/reject',
    headers: ['X-Service-User-Id'],
    summary: 'Decline a staged write',
    params: IdParam,
    body: contract.RejectRequest,
    answers: deciding,
    example: { ...EXAMPLE, body: { reason: 'Already paid back by hand' } },
    handle: async (ctx, { params, body }) =>
      decidedAnswer(
        await reject(ctx, {
          actionId: params.actionId,
          reason: body.reason ?? null,
          tellVisitor: body.tellVisitor ?? false,
          source: 'POST /v1/actions/{actionId}/reject',
        }),
      ),
  }),
]

const amendRoute = (rooms: ActionRooms): Route =>
  route({
    ...here,
    reach: EVERYBODY_WHO_DECIDES,
    method: 'POST',
    path: '/v1/actions/:actionId/amend',
    headers: ['X-Service-User-Id', 'X-Service-User-Role'],
    summary: 'Propose a staged write again with other arguments',
    description:
      'Stages another action in its place and rejects this one, both or neither. Whoever had approved this one approves the new one again. An action that is no longer pending answers as a rejection of it would, with `replacedBy` where it was amended before. A 200 staged something only if it carries `replaces`.',
    params: IdParam,
    body: contract.AmendRequest,
    answers: {
      ...deciding,
      200: { schema: z.union([contract.AmendAnswer, contract.NotAmended]) },
      ...notStagedOrDecided,
    },
    example: { ...EXAMPLE, body: { arguments: { number: 'A-1001' }, reason: 'Another order was meant' } },
    handle: async (ctx, { params, body }) =>
      amendedAnswer(
        await amend(ctx, rooms, {
          actionId: params.actionId,
          // The shape was checked, and it is JSON.
          arguments: body.arguments as JsonObject,
          reason: body.reason ?? null,
          source: 'POST /v1/actions/{actionId}/amend',
        }),
      ),
  })

export const actionRoutes = (rooms: ActionRooms): readonly Route[] => [
  callRoute(rooms),
  stagingRoute(rooms),
  ...decidingRoutes(rooms),
  amendRoute(rooms),
  reconcileRoute(rooms),
]
