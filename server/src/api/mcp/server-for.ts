import { randomUUID } from 'node:crypto'
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Context } from '../../tenancy/context/index.ts'
import { actionStatusName } from '../../tools/catalog/index.ts'
import { VERSION } from '../../version.ts'
import { tellStatus } from './action-status.ts'
import { callTool } from './call-tool.ts'
import { listTools } from './list-tools.ts'
import type { McpRooms } from './rooms.ts'

const INSTRUCTIONS =
  'These are the tools of one business. A tool that reads returns its result immediately. A tool that changes something only proposes the change: ' +
  'its result has the status "staged" and an actionId, and nothing happens until a person at the business confirms it. ' +
  `Never say that a change is done before ${actionStatusName} reports that it was executed.`

/** How long a client may use a list without asking again. It is one credential's list, and nobody else's. */
const LIST_IS_GOOD_MS = 30_000
const OWN_LIST = { ttlMs: LIST_IS_GOOD_MS, cacheScope: 'private' } as const

/** The package would compile a schema into code and run its patterns without a bound. What calls bring, the catalog checks. */
const NOTHING_COMPILED = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'No schema is compiled here.' }),
}

export function serverFor(ctx: Context, rooms: McpRooms): Server {
  const server = new Server(
    { name: 'tether', title: ctx.asking.tenantName, version: VERSION },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NOTHING_COMPILED,
      cacheHints: { 'tools/list': OWN_LIST, 'server/discover': OWN_LIST },
    },
  )
  server.setRequestHandler('tools/list', ({ params }) => safely(ctx, () => listTools(ctx, rooms, params?.cursor)))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    safely(ctx, async () => {
      if (params.name === actionStatusName) return await tellStatus(ctx, params.arguments)
      const { result, outputSchema } = await callTool(ctx, rooms, params, mcpReq)
      return server.projectCallToolResult(result, outputSchema)
    }),
  )
  return server
}

/** What fails inside is for our log. The package would tell the caller the message of any error. */
async function safely<Result>({ log, asking }: Context, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    const errorId = `err_${randomUUID()}`
    log.error({ errorId, requestId: asking.requestId, error }, 'A call over MCP failed on our side.')
    const message = `Something failed on our side. Quote ${errorId} when you report it.`
    throw new ProtocolError(ProtocolErrorCode.InternalError, message, { code: 'internal_error', errorId })
  }
}
