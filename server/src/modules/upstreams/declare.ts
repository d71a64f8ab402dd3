import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { isObject, type Json, type JsonObject, member } from '../../kernel/json/index.ts'
import { toolNamePattern } from '../../tools/catalog/index.ts'
import type { DeclaredTool, RemoteTool } from './declared-tool.ts'
import type { Looked } from './look.ts'
import { catalogName } from './tool-name.ts'

type Asked = Pick<z.output<typeof contract.UpstreamRequest>, 'tools' | 'is_write'>

export type Declared =
  | { readonly ok: true; readonly tools: readonly DeclaredTool[]; readonly skipped: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] }

/** What only the server says of its tools, or this room: a declaration cannot say it. */
const NOT_DECLARED = new Set(['name', 'is_write', 'parameters', 'upstream', 'mcp', 'http', 'output_schema'])

/** Makes entries of the catalog of what a server offers and a tenant declares. Whether one is a write is only ever declared. */
export function declare(upstream: string, { tools, unusable }: Looked, asked: Asked): Declared {
  const offered = new Map(tools.map((tool) => [tool.name, tool]))
  const wanted =
    asked.tools?.map((one) => (typeof one === 'string' ? { name: one } : one)) ?? tools.map(({ name }) => ({ name }))
  const problems: string[] = []
  const made: DeclaredTool[] = []
  const names = new Map<string, string>()
  for (const { name, ...more } of wanted) {
    const tool = offered.get(name)
    if (tool === undefined) {
      problems.push(
        unusable.includes(name)
          ? `"${name}" cannot be taken: its name, its schema or its place is beyond the limits.`
          : `The server has no tool "${name}".`,
      )
      continue
    }
    const isWrite = declaredWrite(asked.is_write, name)
    if (isWrite === undefined) problems.push(`Declare is_write of "${name}": true if it changes anything, else false.`)
    const called = catalogName(upstream, name)
    if (!toolNamePattern.test(called))
      problems.push(
        `"${name}" would be "${called}" in the catalog, and a name has 3 to 64 characters. Leave it out, or use a shorter name for the server.`,
      )
    const other = names.get(called)
    if (other !== undefined)
      problems.push(`"${other}" and "${name}" would both be "${called}" in the catalog. Leave one of them out.`)
    names.set(called, name)
    if (isWrite !== undefined) made.push(declaredTool(upstream, tool, isWrite, more as JsonObject))
  }
  for (const name of Object.keys(asked.is_write ?? {}))
    if (!wanted.some((one) => one.name === name))
      problems.push(`is_write names "${name}", which is not among the tools that are taken.`)
  if (made.length === 0 && problems.length === 0) problems.push('The server offers no tool that could be taken.')
  if (problems.length > 0) return { ok: false, problems }
  const taken = new Set(wanted.map(({ name }) => name))
  return {
    ok: true,
    tools: made,
    skipped: [...tools.map(({ name }) => name).filter((name) => !taken.has(name)), ...unusable],
  }
}

const declaredWrite = (given: Asked['is_write'], name: string): boolean | undefined =>
  given !== undefined && Object.hasOwn(given, name) ? given[name] : undefined

function declaredTool(upstream: string, tool: RemoteTool, isWrite: boolean, more: JsonObject): DeclaredTool {
  const { name, description, inputSchema, outputSchema, hash } = tool
  const said = description === '' ? `The tool ${name} of ${upstream}.` : description
  const own = Object.fromEntries(Object.entries(more).filter(([key]) => !NOT_DECLARED.has(key)))
  const entry: JsonObject = {
    name: catalogName(upstream, name),
    description: said,
    domain: upstream,
    ...own,
    is_write: isWrite,
    parameters: forCatalog(inputSchema),
    ...(outputSchema === null ? {} : { output_schema: outputSchema }),
    upstream: true,
    mcp: { server: upstream, tool: name },
  }
  return { tool: name, entry, hash, remote: { inputSchema, outputSchema } }
}

/** A server may leave out that arguments are an object. Which of them it wants as headers is between it and our client. */
const forCatalog = (schema: JsonObject): Json => {
  const whole = member(schema, 'type') === undefined ? { type: 'object', ...schema } : schema
  const properties = member(whole, 'properties')
  if (!isObject(properties)) return whole
  const own = Object.entries(properties).map(([name, inner]) => [name, isObject(inner) ? withoutHeader(inner) : inner])
  return { ...whole, properties: Object.fromEntries(own) }
}

const withoutHeader = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'x-mcp-header'))
