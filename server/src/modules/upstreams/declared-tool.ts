import { createHash } from 'node:crypto'
import {
  canonicalText,
  isObject,
  type Json,
  type JsonObject,
  member,
  parseJson,
  setMember,
  stringifyJson,
} from '../../kernel/json/index.ts'

/** A tool as its server describes it. What it says about its own harmlessness is not among it. */
export type RemoteTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject | null
  /** What it looks like, in one text that another tool does not have. */
  readonly hash: string
}

/** What a tenant declared of a tool, as the row of its server keeps it. */
export type DeclaredTool = {
  /** Its name at the server. */
  readonly tool: string
  /** Its entry in the catalog. */
  readonly entry: JsonObject
  /** What it looked like when it was declared. */
  readonly hash: string
  readonly remote: { readonly inputSchema: JsonObject; readonly outputSchema: JsonObject | null }
}

/** A server that changes what a tool takes, answers or is said to do makes another tool of it. */
export function hashOf({ name, description, inputSchema, outputSchema }: Omit<RemoteTool, 'hash'>): string {
  const looks: Json = { description, inputSchema, name, outputSchema }
  return createHash('sha256').update(canonicalText(looks)).digest('hex')
}

export const writtenTools = (tools: readonly DeclaredTool[]): string =>
  stringifyJson(tools.map((tool) => ({ ...tool })))

/** The casts are true because `writtenTools` wrote the text. */
export const readTools = (text: string): DeclaredTool[] => parseJson(text) as unknown as DeclaredTool[]

export type Moved = Readonly<Record<string, 'changed' | 'vanished'>>
export const writtenMoved = (moved: Moved): string => JSON.stringify(moved)
export const readMoved = (text: string): Moved => JSON.parse(text) as Moved

/** What is no longer as it was declared. What moved once stays so, even if it comes back: only a person declares. */
export function movedSince(
  declared: readonly DeclaredTool[],
  hashes: ReadonlyMap<string, string>,
  before: Moved,
): Moved {
  const moved: Record<string, 'changed' | 'vanished'> = { ...before }
  for (const { tool, hash } of declared) {
    const now = hashes.get(tool)
    if (now === undefined) setMember(moved, tool, 'vanished')
    else if (now !== hash) setMember(moved, tool, 'changed')
  }
  return moved
}

/** By which server, and under which name there, a tool of the catalog is called. Null for any other tool. */
export function bindingOf(raw: JsonObject): { readonly server: string; readonly tool: string } | null {
  const mcp = member(raw, 'mcp')
  if (member(raw, 'upstream') !== true || !isObject(mcp)) return null
  const { server, tool } = mcp
  return typeof server === 'string' && typeof tool === 'string' ? { server, tool } : null
}
