// Any agent reaches a business's catalog by the protocol that it already speaks, under the same rules as everybody else.
import * as contract from '@tether/contract'
import { MOST_MESSAGES } from '@tether/contract'
import { type RequestHead, refuse } from '../../kernel/http/index.ts'
import { isObject, type Json, type JsonObject, member } from '../../kernel/json/index.ts'
import type { Settings } from '../../kernel/settings/index.ts'
import { ACTING, type Route, route } from '../../tenancy/access/index.ts'
import type { McpRooms } from './list-tools.ts'

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

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * A program sends no Origin. A browser does, and only a page of this service may speak MCP from one: another site could
 * otherwise use what stands in the reach of its visitor.
 */
export function refuseForeignOrigin({ http }: Pick<Settings, 'http'>, { headers }: RequestHead): void {
  const { origin = '' } = headers
  if (origin === '' || isOwn(origin, new URL(http.publicUrl))) return
  throw refuse(
    'origin_not_allowed',
    'A page of another site may not speak MCP to this service. Call it from a server or an agent, which sends no Origin header.',
  )
}

function isOwn(origin: string, own: URL): boolean {
  if (origin === own.origin) return true
  const given = URL.parse(origin)
  // This machine has several names for itself.
  return (
    given !== null &&
    LOOPBACK.has(given.hostname) &&
    LOOPBACK.has(own.hostname) &&
    given.protocol === own.protocol &&
    given.port === own.port
  )
}

const FORM = 'Send one JSON-RPC 2.0 message, or a batch: {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.'

/** The messages of a body. What is wrong with one of them is the protocol's to say; here it only has to be one. */
export function messagesIn(body: unknown): readonly JsonObject[] {
  if (!Array.isArray(body)) return [messageIn(body)]
  if (body.length === 0) throw refuse('invalid_request', `The batch is empty. ${FORM}`)
  if (body.length > MOST_MESSAGES) {
    const message = `The batch has ${body.length} messages, and ${MOST_MESSAGES} is the most. Send them in several requests.`
    throw refuse('batch_too_large', message)
  }
  const messages = body.map(messageIn)
  refuseSameIds(messages)
  return messages
}

function messageIn(value: unknown): JsonObject {
  if (!isObject(value) || member(value, 'jsonrpc') !== '2.0' || !isMessage(value))
    throw refuse('invalid_request', `The body is not JSON-RPC. ${FORM}`)
  return value
}

const isMessage = (message: JsonObject): boolean =>
  typeof member(message, 'method') === 'string' || ['result', 'error'].some((name) => Object.hasOwn(message, name))

/** Two answers under one id could not be told apart, and one call would be answered with the other's result. */
function refuseSameIds(messages: readonly JsonObject[]): void {
  const ids = messages.map((message) => member(message, 'id')).filter((id) => id !== undefined)
  const texts = ids.map((id: Json) => JSON.stringify(id))
  if (new Set(texts).size === texts.length) return
  throw refuse('invalid_request', 'Two messages of the batch have the same id. Give each an id of its own.')
}
