import { isObject, type Json, jsonEqual, listed, member, parseJson } from '../../../kernel/json/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { type CatalogParts, readCatalog, registerCatalog } from '../../../tools/catalog/index.ts'
import { placeImport, readImport } from '../../openapi-import/index.ts'
import { APPLIED, nothingToCopy, type Part, type PartRead, UNCHANGED } from '../part.ts'

export type CatalogRooms = Pick<CatalogParts, 'policyWarnings' | 'declaredUpstream'>
type Copied = { readonly tools: Json[]; readonly imported: Awaited<ReturnType<typeof readImport>> }

/** The tools, and where the imported API is that they are called at. What it is called with stays with whoever gave it. */
export const catalogPart = (rooms: CatalogRooms): Part => ({
  read: readOwn,
  async place(ctx, value) {
    const { tools, imported } = value as unknown as Copied
    if (jsonEqual(await toolsIn(ctx), tools) && (await hasImport(ctx, imported))) return UNCHANGED
    const made = await registerCatalog(ctx, tools, rooms)
    if (!made.registered) return { status: 'refused', error: made.error }
    if (imported !== null) await placeImport(ctx, imported)
    return APPLIED
  },
})

async function readOwn(ctx: Context): Promise<PartRead> {
  const row = await readCatalog(ctx)
  if (row?.tools == null) return nothingToCopy('catalog', 'Register one with PUT /v1/tools')
  const tools = toolsOf(row.tools)
  const foreign = tools.filter(isOfUpstream).map((tool) => (isObject(tool) ? String(tool.name) : ''))
  if (foreign.length > 0) {
    const error = `The tools of an MCP server cannot be copied, because its credential stays with your workspace: ${listed(foreign)}. Declare the server in each business, or push from a workspace without it.`
    return { error }
  }
  return { value: { tools, imported: (await readImport(ctx)) as unknown as Json } }
}

const toolsOf = (text: string): Json[] => {
  const value = parseJson(text)
  return Array.isArray(value) ? value : []
}
const isOfUpstream = (tool: Json): boolean => isObject(tool) && member(tool, 'upstream') === true

/** Those that the business brought in by a server of its own stay, and are no part of the comparison. */
async function toolsIn(ctx: Context): Promise<Json | null> {
  const row = await readCatalog(ctx)
  return row?.tools == null ? null : toolsOf(row.tools).filter((tool) => !isOfUpstream(tool))
}

async function hasImport(ctx: Context, imported: Copied['imported']): Promise<boolean> {
  if (imported === null) return true
  const present = await readImport(ctx)
  return present !== null && present.baseUrl === imported.baseUrl && present.userToken === imported.userToken
}
