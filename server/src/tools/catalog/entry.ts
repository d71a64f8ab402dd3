import { cut, isObject, type Json, type JsonObject, member, type Prepared } from '../../kernel/json/index.ts'

/** One entry of a catalog while it is being checked: nothing about it is known to be right. */
export type Entry = {
  /** What messages call it: its name, or its place in the list. */
  label: string
  raw: JsonObject
  /** How many values stand in it: what looking at it costs. */
  values: number
  /** The tenant's own object, which still has the null members that `raw` lacks. */
  sent: JsonObject
  /** Declared a write, or with an `is_write` so wrong that nothing else should be said about it. */
  mayBeWrite: boolean
  /** What its parameters declare. Undefined when they are not a schema: nothing further is reported about them then. */
  arguments: DeclaredArguments | undefined
}

export function labelOf(raw: Json, index: number): string {
  const name = isObject(raw) ? member(raw, 'name') : undefined
  if (typeof name !== 'string' || name.trim() === '') return `entry ${index}`
  return /^\w+$/.test(name) ? cut(name, 70) : JSON.stringify(cut(name, 70))
}

/** The arguments that a tool's parameters name, and which of them a call must have. */
export type DeclaredArguments = { names: Set<string>; required: Set<string> }

const inAllOf = ['allOf'] as const
const inBranches = ['anyOf', 'oneOf'] as const
const conditional = ['if', 'then', 'else'] as const

/** Looks through local references and combinations: an argument may be declared in any part, and is required where a part that always applies requires it. */
export function declaredArguments(prepared: Prepared): DeclaredArguments {
  const declared: DeclaredArguments = { names: new Set(), required: new Set() }
  const seen = new Map<JsonObject, Set<boolean>>()
  const rest: { schema: Json | undefined; always: boolean }[] = [{ schema: prepared.root, always: true }]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { schema, always } = next
    if (!isObject(schema) || seen.get(schema)?.has(always)) continue
    seen.set(schema, (seen.get(schema) ?? new Set()).add(always))
    addOwn(declared, schema, always)
    rest.push({ schema: prepared.sites.get(schema)?.ref, always })
    for (const name of inAllOf) for (const inner of listOf(schema, name)) rest.push({ schema: inner, always })
    for (const name of inBranches) for (const inner of listOf(schema, name)) rest.push({ schema: inner, always: false })
    for (const name of conditional) rest.push({ schema: member(schema, name), always: false })
  }
  return declared
}

function addOwn(declared: DeclaredArguments, schema: JsonObject, always: boolean): void {
  const properties = member(schema, 'properties')
  if (isObject(properties)) for (const name of Object.keys(properties)) declared.names.add(name)
  if (always) for (const name of listOf(schema, 'required')) if (typeof name === 'string') declared.required.add(name)
}

function listOf(schema: JsonObject, name: string): Json[] {
  const value = member(schema, name)
  return Array.isArray(value) ? value : []
}
