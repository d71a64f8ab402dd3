// Any agent reaches a business's catalog by the protocol that it already speaks, under the same rules as everybody else.
import * as contract from '@tether/contract'
import { ACTING, type Route, route } from '../../tenancy/access/index.ts'
import { messagesIn } from './messages.ts'
import { refuseForeignOrigin } from './origin.ts'
import type { McpRooms } from './rooms.ts'

export type { McpRooms } from './rooms.ts'

const jsonRpc = (description: string) => ({ schema: contract.McpAnswer, description })

export const mcpRoutes = (rooms: McpRooms): readonly Route[] => [
  route({
    reach: { who: 'tenant', kinds: ['secret', 'agent'] },
    lane: 'runtime',
    group: 'MCP',
    method: 'POST',
    path: '/mcp',
    tokens: true,
    headers: [...ACTING, 'Origin'],
    summary: 'The catalog as an MCP server',
    description:
      'Streamable HTTP, stateless, in the revisions 2026-07-28 and 2025-11-25 to 2024-10-07. A read is called; a write is staged, and its result says that it waits for a person. docs/mcp.md has the configuration of common clients.',
    body: contract.McpMessages,
    ownCheck: true,
    requestsIn: (body) => messagesIn(body).length,
    answers: {
      200: jsonRpc('The answer: as JSON, or as `text/event-stream` where the call asked for progress.'),
      202: { text: 'text/plain', description: 'A notification was taken.' },
      400: jsonRpc('JSON-RPC that this revision of the protocol does not allow.'),
      404: jsonRpc('A method that there is not (revision 2026-07-28).'),
    },
    errors: ['batch_too_large', 'origin_not_allowed', 'invalid_customer_token', 'invalid_upstream_token'],
    example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    handle: async (ctx, { body, head }) => {
      refuseForeignOrigin(ctx.settings, head)
      // The protocol's own package is loaded with the first message, so that no start waits for it.
      const { serveMcp } = await import('./serve.ts')
      return await serveMcp(ctx, rooms, { body, messages: messagesIn(body), head })
    },
  }),
]
