import {
  type ListToolsResult,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { member } from '../../kernel/json/index.ts'
import { memoized } from '../../kernel/memo/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Catalog, Tool } from '../../tools/catalog/index.ts'
import type { ActionRooms } from '../../writes/actions/index.ts'
import { titleOf } from '../../writes/writes/index.ts'
import { STATUS_TOOL } from './action-status.ts'
import { outputSchemaOf } from './output-schema.ts'

/** What this surface works with, and `core.ts` hands to it. */
export type McpRooms = Pick<ActionRooms, 'catalogs' | 'calls'>

/** A page is as long as this, unless its tools are large: a client that reads one page only should rarely miss any. */
const MOST_ON_PAGE = 1_000
const MAX_PAGE_BYTES = 1024 * 1024

/** True for a tool that MCP offers at all. There is no deep analysis here, so what is meant for it alone is not. */
export const isOffered = (tool: Tool): boolean => tool.agentEligible && !tool.deepAnalysisOnly

/** What this credential can use now, in the order of the catalog. Where a write is among it, the status tool comes last. */
export async function listTools(ctx: Context, { catalogs }: McpRooms, cursor?: string): Promise<ListToolsResult> {
  const catalog = await catalogs.of(ctx)
  const hasCustomer = ctx.asking.customer !== null
  const usable = catalog.tools.filter((tool) => isOffered(tool) && (hasCustomer || !tool.requiresCustomer))
  const from = startOf(cursor, catalog)
  const tools: McpTool[] = []
  let left = MAX_PAGE_BYTES
  for (const tool of usable.slice(from, from + MOST_ON_PAGE)) {
    const { listed, bytes } = listedTool(tool)
    if (bytes > left && tools.length > 0) break
    tools.push(listed)
    left -= bytes
  }
  const next = from + tools.length
  if (next < usable.length) return { tools, nextCursor: `${catalog.version}.${next}`, _meta: metaOf(catalog) }
  const proposes = usable.some(({ isWrite }) => isWrite)
  return { tools: proposes ? [...tools, STATUS_TOOL] : tools, _meta: metaOf(catalog) }
}

const metaOf = ({ version }: Catalog) => ({ 'tether/catalogVersion': version })

/** A cursor names the version that it is of: the pages of two versions would not make one list. */
function startOf(cursor: string | undefined, { version }: Catalog): number {
  if (cursor === undefined) return 0
  const [, of, from] = /^(\d{1,10})\.(\d{1,5})$/.exec(cursor) ?? []
  if (Number(of) === version && from !== undefined) return Number(from)
  const message = 'This cursor is of another version of the catalog. List the tools from the beginning.'
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

type Listed = { readonly listed: McpTool; readonly bytes: number }

const listedTool = memoized((tool: Tool): Listed => {
  const listed = listing(tool)
  return { listed, bytes: Buffer.byteLength(JSON.stringify(listed)) }
})

const SCOPE = ' Requires a specific branch or location.'
const WRITE =
  ' This tool changes something. Calling it only proposes the change, and nothing runs until a person confirms it.'

function listing(tool: Tool): McpTool {
  const { name, description, isWrite, requiresScope, parameters } = tool
  const outputSchema = outputSchemaOf(tool)
  return {
    name,
    title: titleOf(tool),
    description: `${description}${requiresScope ? SCOPE : ''}${isWrite ? WRITE : ''}`,
    // What a tenant may leave out, the protocol asks for.
    inputSchema: member(parameters, 'type') === 'object' ? objectSchema(parameters) : { type: 'object', ...parameters },
    ...(outputSchema === undefined ? {} : { outputSchema }),
    // The tenant's own declaration. What a client makes of a hint decides nothing here.
    annotations: isWrite
      ? { readOnlyHint: false, destructiveHint: true, idempotentHint: false }
      : { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  }
}

/** The cast is true because the type was just looked at. */
const objectSchema = (parameters: Tool['parameters']): McpTool['inputSchema'] => parameters as McpTool['inputSchema']
