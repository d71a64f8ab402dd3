import { isObject, type Json, type JsonObject, member } from '../../../kernel/json/index.ts'
import { isTrue, listOf, objectOf, type Reading } from './reading.ts'

export type Member = { readonly name: string; readonly schema: Json; readonly required: boolean }
export type Members = readonly Member[]
/** Keeps what was read, because many operations take the same body. */
export type MemberReader = Map<JsonObject, Members | undefined>

/**
 * The members of a schema that is a plain object, parts of `allOf` taken together. A choice beside members mostly says
 * which of them go together, so its members are listed, too, and none of them must be sent. Undefined where one argument
 * for each would lose something: a choice alone, a list, a scalar, an object whose names are not known.
 */
export function plainMembers(reading: Reading, schema: Json | undefined, known: MemberReader): Members | undefined {
  const top = reading.follow(schema)
  if (top === undefined) return undefined
  if (known.has(top)) return known.get(top)
  const found: Found = {
    members: new Map(),
    required: new Set(),
    onlyAnswered: new Set(),
    choices: [],
    seen: new Set(),
    isPlain: true,
  }
  gather(reading, top, found, 0)
  if (found.members.size > 0) for (const branch of found.choices) addMembers(reading, branch, found, 'of a branch')
  for (const name of found.onlyAnswered) found.members.delete(name)
  const members =
    found.isPlain && found.members.size > 0
      ? [...found.members].map(([name, inner]) => ({ name, schema: inner, required: found.required.has(name) }))
      : undefined
  known.set(top, members)
  return members
}

type Found = {
  readonly members: Map<string, Json>
  readonly required: Set<string>
  /** What only answers hold is no input. */
  readonly onlyAnswered: Set<string>
  readonly choices: Json[]
  /** The same part may come by many ways. */
  readonly seen: Set<JsonObject>
  isPlain: boolean
}

const deepestAllOf = 20

function gather(reading: Reading, schema: JsonObject, found: Found, depth: number): void {
  reading.step(1)
  if (found.seen.has(schema)) return
  found.seen.add(schema)
  if (depth > deepestAllOf || !isObjectType(schema)) {
    found.isPlain = false
    return
  }
  addMembers(reading, schema, found)
  for (const name of listOf(schema, 'required')) {
    reading.step(1)
    if (typeof name === 'string') found.required.add(name)
  }
  found.choices.push(...listOf(schema, 'oneOf'), ...listOf(schema, 'anyOf'))
  for (const part of listOf(schema, 'allOf')) {
    const inner = reading.follow(part)
    if (inner !== undefined) gather(reading, inner, found, depth + 1)
  }
}

function addMembers(reading: Reading, schema: Json, found: Found, whose?: 'of a branch'): void {
  for (const [name, sent] of Object.entries(objectOf(reading.follow(schema) ?? {}, 'properties'))) {
    reading.step(1)
    const inner = isObject(sent) ? reading.follow(sent) : undefined
    // A name that is empty has no place in a request.
    if (name === '' || (whose !== undefined && found.members.has(name))) continue
    if (inner !== undefined && isTrue(inner, 'readOnly')) found.onlyAnswered.add(name)
    // Draft 3 wrote it into the member.
    if (inner !== undefined && isTrue(inner, 'required') && whose === undefined) found.required.add(name)
    found.members.set(name, sent)
  }
}

function isObjectType(schema: JsonObject): boolean {
  const type = member(schema, 'type')
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}
