import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { type ApprovalParts, deletePolicy, readPolicy, registerPolicy } from './policies.ts'
import { deleteShadow, readShadow, registerShadow } from './shadow.ts'
import { listUsers, registerUsers, removePerson } from './users.ts'

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Approvals' } as const
/** The policy in force, unless set. */
const MODE = z.object({
  mode: z.enum(['shadow']).optional().meta({ description: 'The policy that is tried, and not the one in force.' }),
})

const users = ({ toolsOf }: ApprovalParts): readonly Route[] => [
  route({
    ...here,
    method: 'GET',
    path: '/v1/users',
    summary: 'The registered people',
    answers: { 200: { schema: contract.UserList } },
    handle: async (ctx) => ({ status: 200, body: await listUsers(ctx) }),
  }),
  route({
    ...here,
    method: 'PUT',
    path: '/v1/users',
    summary: 'Register people, or change those who are registered',
    description:
      'All entries are registered, or none. `warnings` says what does not fit the policy in force. Leaving somebody out removes nobody: set a person who may no longer act to `active: false`.',
    body: contract.UsersRequest,
    ownCheck: true,
    answers: {
      200: { schema: contract.UsersRegistered },
      400: { schema: contract.UsersRefused },
    },
    errors: ['user_link_conflict'],
    example: {
      body: [{ userId: 7, displayName: 'Ana Beridze', email: 'ana@shop.example', role: 'manager' }],
    },
    handle: async (ctx, { body }) => {
      const registration = await registerUsers(ctx, body, toolsOf)
      return { status: registration.registered ? 200 : 400, body: registration }
    },
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/users/:personId',
    summary: 'Remove a person',
    description:
      'Their name and address are forgotten and their sessions closed. What they decided stays in the trail under their id. `warnings` says what no longer fits the policy in force.',
    params: z.object({ personId: z.int().positive() }),
    answers: { 200: { schema: contract.UserRemoved } },
    errors: ['user_not_found'],
    example: { params: { personId: '12' } },
    handle: async (ctx, { params }) => ({ status: 200, body: await removePerson(ctx, params.personId, toolsOf) }),
  }),
]

const policy = ({ toolsOf }: ApprovalParts): readonly Route[] => [
  route({
    ...here,
    method: 'GET',
    path: '/v1/policy',
    summary: 'Who must approve what',
    description:
      'Without a policy any stated id counts: a confirm with a secret key and `X-Service-User-Id` is approved, whether or not that person is registered. `notice` says so.',
    answers: { 200: { schema: contract.Policy } },
    handle: async (ctx) => ({ status: 200, body: await readPolicy(ctx) }),
  }),
  route({
    ...here,
    method: 'PUT',
    path: '/v1/policy',
    query: MODE,
    summary: 'Register an approval policy in place of the present one',
    description:
      'The first rule that matches a write decides; where none matches, one active registered person is enough. The policy also applies to writes that are already waiting. `warnings` names tools, domains and roles that nobody has, rules that ask for more people than could approve, and writes that no rule covers. With `mode=shadow` the policy is tried beside the one in force and decides nothing.',
    body: contract.PolicyRequest,
    ownCheck: true,
    answers: {
      200: { schema: contract.PolicyRegistered },
      400: { schema: contract.PolicyRefused },
    },
    example: {
      body: {
        rules: [{ tools: ['refund_order'], minValue: 500, roles: ['manager'], approvers: 2 }],
      },
    },
    handle: async (ctx, { body, query }) => {
      const register = query.mode === 'shadow' ? registerShadow : registerPolicy
      const registration = await register(ctx, body, toolsOf)
      return { status: registration.registered ? 200 : 400, body: registration }
    },
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/policy',
    query: MODE,
    summary: 'Approve without a policy from now on',
    description:
      'With `mode=shadow` it ends the trial of a policy instead, and forgets what was found; the one in force stays.',
    answers: { 200: { schema: contract.PolicyDeleted } },
    handle: async (ctx, { query }) => ({
      status: 200,
      body: query.mode === 'shadow' ? await deleteShadow(ctx) : await deletePolicy(ctx),
    }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/policy/shadow',
    summary: 'Where the policy in shadow would have decided otherwise',
    description:
      'Every confirm, reject and amend is judged by both policies, from the same people and approvals. `differences` holds the latest thousand decisions on which they disagree, newest first; `live` is what happened. `policy` is null while none is tried.',
    query: contract.ShadowQuery,
    answers: { 200: { schema: contract.PolicyInShadow } },
    handle: async (ctx, { query: { before = null, limit } }) => ({
      status: 200,
      body: await readShadow(ctx, {
        before,
        limit: contract.clampLimit(limit, contract.SHADOW_PAGE.most, contract.SHADOW_PAGE.preset),
      }),
    }),
  }),
]

export const approvalRoutes = (parts: ApprovalParts): readonly Route[] => [...users(parts), ...policy(parts)]
