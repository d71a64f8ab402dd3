import * as contract from '@tether/contract'
import { z } from 'zod'
import { OPERATOR, type Route, route } from '../access/index.ts'
import { issueByOperator, makeProvider, revokeByOperator, unmakeProvider } from './keys.ts'
import { createByOperator, deleteByOperator, listByOperator, patchByOperator, readByOperator } from './tenants.ts'

const here = { reach: OPERATOR, lane: 'control', group: 'Operator' } as const
const IdParam = z.object({ id: contract.TenantId })
const EXAMPLE_ID = { id: '1' }

const tenants: Route[] = [
  route({
    ...here,
    method: 'POST',
    path: '/v1/tenants',
    summary: 'Create a tenant',
    description: 'Its address counts as confirmed. The key and the signing secret are shown once.',
    body: contract.TenantRequest,
    bodyCodes: { name: 'invalid_name', email: 'invalid_email' },
    answers: { 200: { schema: contract.NewTenant } },
    errors: ['invalid_name', 'invalid_email'],
    example: { body: { name: 'Corner Shop' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await createByOperator(ctx, body) }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/tenants',
    summary: 'List the tenants, oldest first',
    query: contract.TenantListQuery,
    answers: { 200: { schema: contract.TenantList } },
    handle: async (ctx, { query }) => ({
      status: 200,
      body: await listByOperator(ctx, query.after ?? 0, contract.clampLimit(query.limit, 200, 50)),
    }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/tenants/:id',
    summary: 'Read one tenant, with its live keys, budget and spend',
    params: IdParam,
    answers: { 200: { schema: contract.TenantDetail } },
    errors: ['tenant_not_found'],
    example: { params: EXAMPLE_ID },
    handle: async (ctx, { params }) => ({ status: 200, body: await readByOperator(ctx, params.id) }),
  }),
  route({
    ...here,
    method: 'PATCH',
    path: '/v1/tenants/:id',
    summary: 'Change a tenant’s name, plan, moderation, budget or provider',
    params: IdParam,
    body: contract.TenantPatch,
    bodyCodes: { name: 'invalid_name' },
    answers: { 200: { schema: contract.TenantDetail } },
    errors: ['tenant_not_found', 'invalid_name', 'email_unconfirmed', 'provisioned_tenant'],
    example: { params: EXAMPLE_ID, body: { plan: 'use_tether_ai', budget: { dailyCapUsd: 5 } } },
    handle: async (ctx, { params, body }) => ({ status: 200, body: await patchByOperator(ctx, params.id, body) }),
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/tenants/:id',
    summary: 'Delete a tenant and everything in it',
    params: IdParam,
    body: contract.DeletionRequest,
    bodyCodes: { confirm: 'confirmation_required' },
    answers: { 200: { schema: contract.Deletion } },
    errors: ['tenant_not_found', 'confirmation_required'],
    example: { params: EXAMPLE_ID, body: { confirm: 'Corner Shop' } },
    handle: async (ctx, { params, body }) => ({
      status: 200,
      body: await deleteByOperator(ctx, params.id, body.confirm),
    }),
  }),
]

const providers: Route[] = [
  route({
    ...here,
    method: 'POST',
    path: '/v1/tenants/:id/provider',
    summary: 'Make a tenant a provider of other tenants',
    description: 'The answer shows the provider key once. An earlier provider key stops working.',
    params: IdParam,
    body: contract.ProviderRequest,
    answers: { 200: { schema: contract.ProviderKey } },
    errors: ['tenant_not_found', 'provisioned_tenant', 'email_unconfirmed'],
    example: { params: EXAMPLE_ID, body: { label: 'Agency' } },
    handle: async (ctx, { params, body }) => ({
      status: 200,
      body: await makeProvider(ctx, params.id, body.label),
    }),
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/tenants/:id/provider',
    summary: 'Withdraw provider authority',
    params: IdParam,
    answers: { 200: { schema: contract.ProviderRevoked } },
    errors: ['tenant_not_found'],
    example: { params: EXAMPLE_ID },
    handle: async (ctx, { params }) => ({ status: 200, body: await unmakeProvider(ctx, params.id) }),
  }),
]

const keys: Route[] = [
  route({
    ...here,
    method: 'POST',
    path: '/v1/keys',
    summary: 'Issue a key for a tenant',
    body: contract.OperatorKeyRequest,
    bodyCodes: { kind: 'unknown_kind' },
    answers: { 200: { schema: contract.OperatorIssuedKey } },
    errors: ['tenant_not_found', 'unknown_kind', 'key_limit_reached', 'email_unconfirmed'],
    example: { body: { tenantId: 1, kind: 'secret', label: 'Recovered' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await issueByOperator(ctx, body) }),
  }),
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/keys/:prefix',
    summary: 'Revoke a key of any tenant and any kind',
    params: z.object({ prefix: contract.KeyPrefix }),
    query: z.object({ tenantId: contract.TenantId.optional() }),
    answers: { 200: { schema: contract.RevokedKey } },
    errors: ['unknown_key', 'ambiguous_prefix'],
    example: { params: { prefix: 'tth_1f0c9a2b' } },
    handle: async (ctx, { params, query }) => ({
      status: 200,
      body: await revokeByOperator(ctx, params.prefix, query.tenantId),
    }),
  }),
]

const figures: Route[] = [
  route({
    ...here,
    method: 'GET',
    path: '/v1/operator/metrics',
    summary: 'Read the figures of this process in the format of Prometheus',
    answers: { 200: { text: 'text/plain' } },
    handle: async (ctx) => ({ status: 200, text: await ctx.metrics.text() }),
  }),
]

export const operatorRoutes: readonly Route[] = [...tenants, ...providers, ...keys, ...figures]
