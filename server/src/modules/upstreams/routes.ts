import * as contract from '@tether/contract'
import { z } from 'zod'
import type { Answer } from '../../kernel/http/index.ts'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { MOST_LOOK } from './limits.ts'
import type { Upstreams } from './open-upstreams.ts'
import { type Registered, registerUpstream, unregisterUpstream } from './register.ts'
import { listUpstreams, lookAtUpstream } from './upstreams.ts'
import { presentUpstream } from './views.ts'

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Tools' } as const
const one = { ...here, path: '/v1/upstreams/:name', params: z.object({ name: z.string() }) } as const
const EXAMPLE = { params: { name: 'github' } }

export const upstreamRoutes = (upstreams: Pick<Upstreams, 'servers'>): readonly Route[] => [
  route({
    ...here,
    method: 'GET',
    path: '/v1/upstreams',
    summary: 'The MCP servers whose tools are a part of the catalog',
    description: 'Each as it was found when somebody last looked.',
    answers: { 200: { schema: contract.Upstreams } },
    handle: async (ctx) => {
      const upstreams = (await listUpstreams(ctx)).map(presentUpstream)
      return { status: 200, body: { upstreams, count: upstreams.length } }
    },
  }),
  route({
    ...one,
    method: 'GET',
    answerBytes: MOST_LOOK.bytes,
    summary: 'One MCP server, after a look at what it is now',
    description: 'A tool that has changed or vanished since it was declared is not called until it is declared again.',
    answers: { 200: { schema: contract.Upstream } },
    errors: ['upstream_not_found'],
    example: EXAMPLE,
    handle: async (ctx, { params }) => ({
      status: 200,
      body: presentUpstream(await lookAtUpstream({ ...ctx, servers: upstreams.servers }, params.name)),
    }),
  }),
  route({
    ...one,
    method: 'PUT',
    answerBytes: MOST_LOOK.bytes,
    summary: 'Make the tools of an MCP server a part of the catalog',
    description:
      'They are named `<server>_<tool>`, and survive `PUT /v1/tools`. `is_write` is declared for each of them and never taken from what the server says. Without a declaration the answer lists what the server offers.',
    body: contract.UpstreamRequest,
    answers: { 200: { schema: contract.UpstreamRegistered }, 400: { schema: contract.UpstreamRefused } },
    errors: ['invalid_endpoint', 'secret_unreadable', 'catalog_changed'],
    example: {
      ...EXAMPLE,
      body: {
        url: 'https://mcp.github.example/mcp',
        credential: '<token>',
        tools: ['search_issues', 'create_issue'],
        is_write: { search_issues: false, create_issue: true },
      },
    },
    handle: async (ctx, { params, body }) =>
      registeredAnswer(await registerUpstream({ ...ctx, servers: upstreams.servers }, params.name, body)),
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Take the tools of an MCP server out of the catalog',
    answers: { 200: { schema: contract.UpstreamRemoved }, 400: { schema: contract.UpstreamNotRemoved } },
    errors: ['upstream_not_found', 'catalog_changed'],
    example: EXAMPLE,
    handle: async (ctx, { params: { name } }) => {
      const removed = await unregisterUpstream(ctx, name)
      if (!removed.ok) return { status: 400, body: { deleted: false, error: removed.error } }
      return { status: 200, body: { deleted: true, name, version: removed.version } }
    },
  }),
]

function registeredAnswer(registered: Registered): Answer {
  if (registered.ok) {
    const { version, row, skipped } = registered
    return { status: 200, body: { registered: true, version, upstream: presentUpstream(row), skipped } }
  }
  const { error, offered } = registered
  const tools = offered?.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }))
  return { status: 400, body: { registered: false, error, ...(tools === undefined ? {} : { tools }) } }
}
