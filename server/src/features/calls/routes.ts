import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Route, route, SECRET_ONLY } from '../../ground/access/index.ts'
import type { Catalogs } from '../catalog/index.ts'
import type { Calls } from './calls.ts'
import { callDirectly, type StageWrite } from './direct-call.ts'
import { readEndpoint, setEndpoint } from './endpoint.ts'

type Parts = { readonly catalogs: Catalogs; readonly calls: Calls; readonly stage: StageWrite }

const endpoint: readonly Route[] = [
  route({
    reach: SECRET_ONLY,
    lane: 'control',
    group: 'Tools',
    method: 'GET',
    path: '/v1/endpoint',
    summary: 'Where the workspace’s tools are called',
    answers: { 200: { schema: contract.Endpoint } },
    handle: async (ctx) => ({ status: 200, body: readEndpoint(ctx) }),
  }),
  route({
    reach: SECRET_ONLY,
    lane: 'control',
    group: 'Tools',
    method: 'PUT',
    path: '/v1/endpoint',
    summary: 'Set or clear where the workspace’s tools are called',
    description:
      'Absolute HTTPS at a public address. Every call is signed with the signing secret; docs/receiving-calls.md shows how to check it.',
    body: contract.EndpointRequest,
    answers: { 200: { schema: contract.Endpoint } },
    errors: ['invalid_endpoint'],
    example: { body: { url: 'https://shop.example.com/assistant/tools' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await setEndpoint(ctx, body.url) }),
  }),
]

export const callRoutes = (parts: Parts): readonly Route[] => [
  route({
    reach: SECRET_ONLY,
    lane: 'runtime',
    group: 'Tools',
    method: 'POST',
    path: '/v1/tools/:name/call',
    tokens: true,
    summary: 'Call one tool',
    description:
      'A read runs at once: 200 with `status` for everything that happened at the endpoint. A write is staged and waits for a person; with an Idempotency-Key header the same request gives the same action back.',
    params: z.object({ name: z.string() }),
    body: contract.CallRequest,
    bodyOptional: true,
    answers: {
      200: { schema: z.union([contract.CallAnswer, contract.StageAnswer]) },
      403: { schema: z.union([contract.CallRefusal, contract.NotStaged]) },
      409: { schema: contract.NotStaged },
      502: { schema: contract.NotStaged },
    },
    errors: ['unknown_tool', 'idempotency_conflict', 'invalid_customer_token', 'invalid_upstream_token'],
    example: { params: { name: 'get_order' }, body: { arguments: { number: 'A-1001' } } },
    handle: (ctx, { params, body, head }) =>
      callDirectly(ctx, parts, { name: params.name, arguments: body?.arguments, head }),
  }),
  ...endpoint,
]
