import * as contract from '@tether/contract'
import type { z } from 'zod'
import { ACTING, type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Signer } from '../../tenancy/tenants/index.ts'
import { readEndpoint, setEndpoint, testEndpoint } from './endpoint.ts'
import { listCalls } from './queries.ts'

/** What is kept of calls, newest first: how each ended and how long it took, and never what it was given or answered. */
async function callsOf(
  ctx: Context,
  query: z.output<typeof contract.CallsQuery>,
): Promise<z.output<typeof contract.CallRecords>> {
  const { tool = null, status = null, before = null } = query
  const limit = contract.clampLimit(query.limit, contract.CALLS_PAGE.most, contract.CALLS_PAGE.preset)
  // One more than asked for shows whether anything follows.
  const { tenantId } = ctx.asking
  const rows = await ctx.db.rows(listCalls, { tenantId, tool, status, before, limit: limit + 1 })
  const calls = rows.slice(0, limit).map((row) => ({ ...row, at: row.at.toISOString() }))
  return { calls, count: calls.length, nextBefore: rows.length > limit ? (calls.at(-1)?.callId ?? null) : null }
}

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Tools', path: '/v1/endpoint' } as const

type CallParts = { readonly sign: Signer }

export const callRoutes = (parts: CallParts): readonly Route[] => [
  route({
    ...here,
    method: 'GET',
    summary: 'Where the workspace’s tools are called',
    answers: { 200: { schema: contract.Endpoint } },
    handle: async (ctx) => ({ status: 200, body: readEndpoint(ctx) }),
  }),
  route({
    ...here,
    method: 'PUT',
    summary: 'Set or clear where the workspace’s tools are called',
    description:
      'Absolute HTTPS at a public address. Every call is signed with the signing secret; docs/receiving-calls.md shows how to check it.',
    body: contract.EndpointRequest,
    answers: { 200: { schema: contract.Endpoint } },
    errors: ['invalid_endpoint'],
    example: { body: { url: 'https://shop.example.com/assistant/tools' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await setEndpoint(ctx, body.url) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/endpoint/test',
    headers: ACTING,
    summary: 'Send the endpoint one signed request of no effect, and show both sides in full',
    description:
      'The request has the type `endpoint_test` and names no tool of yours. If the endpoint refuses it, `signatureHints` says why the signature may have failed.',
    answers: { 200: { schema: contract.EndpointTest } },
    errors: ['secret_unreadable'],
    handle: async (ctx) => ({ status: 200, body: await testEndpoint(ctx, parts.sign) }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/calls',
    summary: 'List the calls of tools, newest first: how each ended, and how long it took',
    description:
      'Filters combine. What a call was given and what it answered is not kept. A call appears within a second or two, and is kept for `ToolTransport:CallDays`.',
    query: contract.CallsQuery,
    answers: { 200: { schema: contract.CallRecords } },
    handle: async (ctx, { query }) => ({ status: 200, body: await callsOf(ctx, query) }),
  }),
]
