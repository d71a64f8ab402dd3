import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Route, route } from '../../tenancy/access/index.ts'
import type { ActionRooms } from '../actions/index.ts'
import { decidedAllAnswer, listAnswer, lookedAnswer } from './answers.ts'
import { type Decision, decideAll } from './decide.ts'
import { listActions, MOST_BYTES } from './list.ts'
import { lookAt } from './look.ts'

const here = {
  lane: 'runtime',
  group: 'Actions',
  reach: { who: 'tenant', kinds: ['secret'], withSession: ['inbox', 'provider_inbox'] },
} as const
const EXAMPLE = { params: { actionId: '019aa7a1-6c2e-7b1f-9d3a-2f4c5e6d7a8b' } }

type DecisionAsked = z.output<typeof contract.DecideRequest>['decisions'][number]

const decisionAsked = ({ actionId, decision, ...more }: DecisionAsked): Decision => ({
  actionId,
  decision,
  reason: more.reason ?? null,
  tellVisitor: more.tellVisitor ?? false,
  acknowledgeHighRisk: more.acknowledgeHighRisk ?? false,
  payloadHash: more.payloadHash ?? null,
})

export const decisionRoutes = (rooms: ActionRooms): readonly Route[] => [
  route({
    ...here,
    method: 'GET',
    path: '/v1/actions/:actionId',
    headers: ['X-Service-User-Id'],
    summary: 'One staged write, and what its decision rests on',
    description:
      '`mayDecide` is about whoever asks: null where nobody is named. `requestPreview` is what a confirm would send; null where the catalog no longer has the write. `changed` says why a confirm would be refused.',
    params: z.object({ actionId: z.string() }),
    answers: { 200: { schema: contract.ActionDetail } },
    errors: ['action_not_found'],
    example: EXAMPLE,
    handle: async (ctx, { params: { actionId } }) => lookedAnswer(await lookAt(ctx, rooms, actionId)),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/actions',
    answerBytes: MOST_BYTES,
    summary: 'Staged writes, newest first',
    description:
      'A page ends at 4 MiB, if not before. `nextBefore` is the `before` of the next one, and null after the last.',
    query: contract.ActionListQuery,
    answers: { 200: { schema: contract.ActionList } },
    handle: async (ctx, { query }) =>
      listAnswer(
        await listActions(ctx, {
          states: [query.status ?? 'pending'],
          tool: query.tool ?? null,
          scopeId: query.scope ?? null,
          before: query.before ?? null,
          limit: contract.clampLimit(query.limit, 200, 50),
        }),
      ),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/actions/decide',
    headers: ['X-Service-User-Id', 'X-Service-User-Role'],
    summary: 'Decide several staged writes',
    description: 'Each as if alone: with its own lines in the trail, and the result that its own route would answer.',
    body: contract.DecideRequest,
    answers: { 200: { schema: contract.DecideAnswer } },
    example: { body: { decisions: [{ actionId: EXAMPLE.params.actionId, decision: 'reject', reason: 'Not today' }] } },
    handle: async (ctx, { body: { decisions } }) =>
      decidedAllAnswer(await decideAll(ctx, rooms, decisions.map(decisionAsked), 'POST /v1/actions/decide')),
  }),
]
