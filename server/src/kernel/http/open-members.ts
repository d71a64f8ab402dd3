import type { z } from 'zod'
import { member } from '../json/index.ts'

type JsonSchema = z.core.JSONSchema.JSONSchema
type Inner = JsonSchema | boolean | undefined

/** Removes null members that the shape makes optional and gives no meaning to, because such a null counts as absent. */
export function dropNulls(schema: JsonSchema, value: unknown): void {
  drop(schema, value, schema.$defs ?? {})
}

/** True if an empty body fits. */
export function leavesAllOpen(given: JsonSchema): boolean {
  const schema = resolved(given, given.$defs ?? {})
  return schema?.type === 'object' && (schema.required ?? []).length === 0
}

type Definitions = NonNullable<JsonSchema['$defs']>

function drop(given: Inner, value: unknown, definitions: Definitions): void {
  const schema = resolved(given, definitions)
  if (schema === undefined || typeof value !== 'object' || value === null) return
  for (const branch of branchesOf(schema)) drop(branch, value, definitions)
  if (Array.isArray(value)) {
    // zod writes a list as one schema for all of its items.
    const items = schema.items as Inner
    if (items !== undefined) for (const item of value) drop(items, item, definitions)
    return
  }
  const members = value as Record<string, unknown>
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(members, name)) continue
    const isOpen = schema.required?.includes(name) !== true
    if (members[name] === null && isOpen && !takesNull(inner, definitions)) delete members[name]
    else drop(inner, members[name], definitions)
  }
}

const branchesOf = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema): Inner[] => [...anyOf, ...oneOf, ...allOf]

function resolved(schema: Inner, definitions: Definitions): JsonSchema | undefined {
  if (typeof schema !== 'object') return undefined
  const { $ref } = schema
  return $ref === undefined ? schema : resolved(member(definitions, $ref.replace('#/$defs/', '')), definitions)
}

/** A schema that asks for nothing takes null, too. */
function takesNull(given: Inner, definitions: Definitions): boolean {
  const schema = resolved(given, definitions)
  if (schema === undefined) return true
  const branches = branchesOf(schema)
  if (branches.length > 0) return branches.some((branch) => takesNull(branch, definitions))
  return schema.type === undefined ? schema.enum === undefined : [schema.type].flat().includes('null')
}
