import * as contract from '@tether/contract'
import { z } from 'zod'
import { PROVIDER, type Route, route } from '../../tenancy/access/index.ts'
import { createBusiness, deleteBusiness, listBusinesses, readBusiness } from './businesses.ts'
import { configurationParts, type ProviderRooms } from './configuration.ts'
import {
  issueBusinessKey,
  issueInboxKey,
  listBusinessKeys,
  listInboxKeys,
  revokeBusinessKey,
  revokeInboxKey,
  rotateBusinessKey,
} from './keys.ts'
import { pushConfiguration, readPush } from './push.ts'
import { readUsage } from './usage.ts'

const here = { reach: PROVIDER, lane: 'control', group: 'Provider' } as const
// What is no id is the id of no business, as an unknown number is.
const pathCodes = { id: 'not_a_child_tenant' } as const
const OF_BUSINESS = { params: z.object({ id: contract.TenantId }), pathCodes }
const OF_KEY = { params: z.object({ id: contract.TenantId, prefix: contract.KeyPrefix }), pathCodes }
const EXAMPLE_ID = { id: '1' }
const EXAMPLE_KEY = { id: '1', prefix: 'tag_1f0c9a2b' }

const businesses = (rooms: ProviderRooms): Route[] => [
  route({
    ...here,
    method: 'POST',
    path: '/v1/provider/tenants',
    summary: 'Create a business',
    description:
      'Its address counts as confirmed. The key and the signing secret are shown once. `configuration` says what is copied to it from your own workspace; credentials never are.',
    body: contract.BusinessRequest,
    bodyCodes: { name: 'invalid_name', email: 'invalid_email' },
    answers: { 200: { schema: contract.NewBusiness } },
    errors: ['email_unconfirmed', 'invalid_name', 'invalid_email'],
    example: { body: { name: 'Corner Shop', configuration: ['catalog', 'policy'] } },
    handle: async (ctx, { body }) => ({
      status: 200,
      body: await createBusiness(ctx, body, configurationParts(rooms)),
    }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/provider/tenants',
    summary: 'List your businesses, oldest first',
    query: contract.BusinessListQuery,
    answers: { 200: { schema: contract.BusinessList } },
    handle: async (ctx, { query }) => ({
      status: 200,
      body: await listBusinesses(ctx, query.after ?? 0, contract.clampLimit(query.limit, 200, 50)),
    }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/provider/tenants/:id',
    summary: 'Read one of your businesses',
    ...OF_BUSINESS,
    answers: { 200: { schema: contract.Business } },
    errors: ['not_a_child_tenant'],
    example: { params: EXAMPLE_ID },
    handle: async (ctx, { params }) => ({ status: 200, body: await readBusiness(ctx, params.id) }),
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/provider/tenants/:id',
    summary: 'Delete one of your businesses and everything in it',
    ...OF_BUSINESS,
    body: contract.DeletionRequest,
    bodyCodes: { confirm: 'confirmation_required' },
    answers: { 200: { schema: contract.Deletion } },
    errors: ['not_a_child_tenant', 'confirmation_required'],
    example: { params: EXAMPLE_ID, body: { confirm: 'Corner Shop' } },
    handle: async (ctx, { params, body }) => ({
      status: 200,
      body: await deleteBusiness(ctx, params.id, body.confirm),
    }),
  }),
]

const keys: Route[] = [
  route({
    ...here,
    method: 'GET',
    path: '/v1/provider/tenants/:id/keys',
    summary: 'List the keys of one of your businesses, including revoked ones',
    description: 'The newest come first. A key itself is shown only once, when it is issued.',
    ...OF_BUSINESS,
    answers: { 200: { schema: contract.KeyList } },
    errors: ['not_a_child_tenant'],
    example: { params: EXAMPLE_ID },
    handle: async (ctx, { params }) => ({ status: 200, body: await listBusinessKeys(ctx, params.id) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/provider/tenants/:id/keys',
    summary: 'Issue a key for one of your businesses',
    ...OF_BUSINESS,
    body: contract.KeyRequest,
    bodyCodes: { kind: 'unknown_kind' },
    answers: { 200: { schema: contract.IssuedKey } },
    errors: ['not_a_child_tenant', 'unknown_kind', 'key_limit_reached'],
    example: { params: EXAMPLE_ID, body: { kind: 'agent', label: 'Support assistant' } },
    handle: async (ctx, { params, body }) => ({ status: 200, body: await issueBusinessKey(ctx, params.id, body) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/provider/tenants/:id/keys/:prefix/rotate',
    summary: 'Replace a key of one of your businesses with a new one of the same kind and label',
    description: 'The old key stops working at the same moment as the new one starts.',
    ...OF_KEY,
    answers: { 200: { schema: contract.RotatedKey } },
    errors: ['not_a_child_tenant', 'unknown_key'],
    example: { params: EXAMPLE_KEY },
    handle: async (ctx, { params }) => ({
      status: 200,
      body: await rotateBusinessKey(ctx, params.id, params.prefix),
    }),
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/provider/tenants/:id/keys/:prefix',
    summary: 'Revoke a key of one of your businesses',
    description: 'It is refused from the next request on. The only live secret key cannot be revoked.',
    ...OF_KEY,
    answers: { 200: { schema: contract.RevokedKey } },
    errors: ['not_a_child_tenant', 'unknown_key', 'last_secret_key'],
    example: { params: EXAMPLE_KEY },
    handle: async (ctx, { params }) => ({
      status: 200,
      body: await revokeBusinessKey(ctx, params.id, params.prefix),
    }),
  }),
]

const configuration = (rooms: ProviderRooms): Route[] => [
  route({
    ...here,
    method: 'PUT',
    path: '/v1/provider/configuration',
    summary: 'Push parts of your own configuration to your businesses',
    description: `Each part of each business is checked as if the business had sent it, and changes whole or not at all. More than ${contract.MOST_PUSHED_AT_ONCE} businesses are regular work: the answer is 202, and the push tells how far it is. What your workspace does not have is refused, and nothing is ever deleted by a push.`,
    body: contract.ConfigurationRequest,
    answers: { 200: { schema: contract.ConfigurationResults }, 202: { schema: contract.PushAccepted } },
    errors: ['not_a_child_tenant'],
    example: { body: { parts: ['catalog', 'policy'] } },
    handle: async (ctx, { body }) => {
      const pushed = await pushConfiguration(ctx, body, configurationParts(rooms))
      return pushed.kind === 'done'
        ? { status: 200, body: { results: pushed.results } }
        : { status: 202, body: { pushId: pushed.pushId, total: pushed.total } }
    },
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/provider/configuration/pushes/:pushId',
    // Five parts for each of ten thousand businesses.
    answerBytes: 4 * 1024 * 1024,
    summary: 'Read how far a push is, and what became of it in each business',
    params: z.object({ pushId: z.string().max(64) }),
    answers: { 200: { schema: contract.Push } },
    errors: ['push_not_found'],
    example: { params: { pushId: 'psh_0123456789abcdef01234567' } },
    handle: async (ctx, { params }) => ({ status: 200, body: await readPush(ctx, params.pushId) }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/provider/usage',
    summary: 'Read what your businesses used, by business and together',
    description: 'Counted by whole UTC days: `from` and `to` of the answer say which.',
    query: contract.UsageQuery,
    answers: { 200: { schema: contract.Usage } },
    errors: ['invalid_period'],
    handle: async (ctx, { query: { from, to, after, limit } }) => ({
      status: 200,
      body: await readUsage(ctx, { from, to, after: after ?? 0, limit: contract.clampLimit(limit, 200, 50) }),
    }),
  }),
]

const inboxKeys: Route[] = [
  route({
    ...here,
    method: 'GET',
    path: '/v1/provider/inbox-keys',
    summary: 'List the keys that sign in the people of all your businesses',
    answers: { 200: { schema: contract.KeyList } },
    handle: async (ctx) => ({ status: 200, body: await listInboxKeys(ctx) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/provider/inbox-keys',
    summary: 'Issue a key that signs in the people of all your businesses',
    body: contract.InboxKeyRequest,
    answers: { 200: { schema: contract.IssuedKey } },
    errors: ['key_limit_reached'],
    example: { body: { label: 'Our desk' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await issueInboxKey(ctx, body.label) }),
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/provider/inbox-keys/:prefix',
    summary: 'Revoke a key that signs in the people of all your businesses',
    params: z.object({ prefix: contract.KeyPrefix }),
    answers: { 200: { schema: contract.RevokedKey } },
    errors: ['unknown_key'],
    example: { params: { prefix: 'tib_1f0c9a2b' } },
    handle: async (ctx, { params }) => ({ status: 200, body: await revokeInboxKey(ctx, params.prefix) }),
  }),
]

export const providerRoutes = (rooms: ProviderRooms): readonly Route[] => [
  ...businesses(rooms),
  ...keys,
  ...configuration(rooms),
  ...inboxKeys,
]
