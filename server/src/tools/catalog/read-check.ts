// A precondition or a verify: one read, how its arguments come from the write's, and what its result must say. This file
// reads the form; whether the tools and arguments exist is checked against the catalog (read-check-rules.ts).
import {
  isNumber,
  isObject,
  type Json,
  type JsonNumber,
  type JsonObject,
  member,
  present,
  shown,
} from '../../kernel/json/index.ts'
import { parsePath } from './dot-path.ts'

export type ReadCheck = {
  /** A read of the same catalog. */
  tool: string
  arguments: Record<string, Mapping>
  check: Check
}
/** Copied from an argument of the write, or a literal. */
export type Mapping = { from: string } | { value: Json }
export type Check = { path: string[]; test: Test }
export type Test =
  | { kind: 'equals'; value: Json }
  | { kind: 'in'; values: Json[] }
  | { kind: 'from'; argument: string }
  | { kind: 'compare'; bounds: Bound[] }
export type Bound = { operator: Operator; to: JsonNumber | { from: string } }
export type Operator = (typeof operators)[number]

const operators = ['gt', 'gte', 'lt', 'lte'] as const

/** What is wrong, in words that follow "have a precondition", and the part that it is about. */
export type Fault = { says: string; detail?: string }
type Parsed = { ok: true; readCheck: ReadCheck } | { ok: false; faults: Fault[] }

export function parseReadCheck(value: Json): Parsed {
  if (!isObject(value))
    return {
      ok: false,
      faults: [{ says: 'that is not an object with tool, arguments and check', detail: shown(value) }],
    }
  const faults: Fault[] = unknownKeys(value, ['tool', 'arguments', 'check'], '')
  const tool = member(value, 'tool')
  if (typeof tool !== 'string' || tool === '') faults.push({ says: 'that names no tool to read with' })
  const mapped = parseMappings(member(value, 'arguments') ?? {}, faults)
  const check = parseCheck(member(value, 'check') ?? undefined, faults)
  if (faults.length > 0 || typeof tool !== 'string' || !check) return { ok: false, faults }
  return { ok: true, readCheck: { tool, arguments: mapped, check } }
}

function unknownKeys(object: JsonObject, known: readonly string[], inside: string): Fault[] {
  const unknown = Object.keys(object).filter((key) => !known.includes(key))
  return unknown.map((key) => ({ says: 'with an unknown key', detail: `${inside}${key}` }))
}

function parseMappings(value: Json, faults: Fault[]): Record<string, Mapping> {
  const says = 'whose arguments are not an object of {"from": "<write argument>"} or {"value": ...}'
  if (!isObject(value)) {
    faults.push({ says, detail: shown(value) })
    return {}
  }
  const mappings = Object.entries(value).map(([name, entry]) => [name, parseMapping(entry)] as const)
  for (const [name, mapping] of mappings) if (!mapping) faults.push({ says, detail: name })
  return Object.fromEntries(mappings.flatMap(([name, mapping]) => (mapping ? [[name, mapping]] : [])))
}

function parseMapping(sent: Json): Mapping | undefined {
  const entry = isObject(sent) ? present(sent, 'value') : {}
  if (Object.keys(entry).length !== 1) return undefined
  const from = member(entry, 'from')
  if (typeof from === 'string' && from !== '') return { from }
  const value = member(entry, 'value')
  return value === undefined ? undefined : { value }
}

function parseCheck(value: Json | undefined, faults: Fault[]): Check | undefined {
  if (value === undefined) {
    faults.push({ says: 'without a check, so nothing would be asked of its read' })
    return undefined
  }
  if (!isObject(value)) {
    faults.push({ says: 'whose check is not an object', detail: shown(value) })
    return undefined
  }
  faults.push(...unknownKeys(value, ['path', 'equals', 'in', 'from', ...operators], 'check.'))
  const path = parsePath(member(value, 'path'))
  if (!path)
    faults.push({
      says: 'whose check.path is not a dot path into the result, such as lines.0.state',
      detail: shown(value.path ?? null),
    })
  const test = parseTest(present(value, 'equals'), faults)
  return path && test ? { path, test } : undefined
}

/** Exactly one way of asking: equals, in, from, or one or more of gt, gte, lt, lte together. */
function parseTest(check: JsonObject, faults: Fault[]): Test | undefined {
  const used = ['equals', 'in', 'from'].filter((key) => Object.hasOwn(check, key))
  const compared = operators.filter((key) => Object.hasOwn(check, key))
  if (used.length + (compared.length > 0 ? 1 : 0) !== 1) {
    const says = 'whose check does not have exactly one of equals, in, from, or comparisons (gt, gte, lt, lte)'
    faults.push({ says, detail: [...used, ...compared].join(' with ') || 'none' })
    return undefined
  }
  if (compared.length > 0) return parseBounds(check, compared, faults)
  const value = member(check, used[0] ?? '') ?? null
  if (used[0] === 'equals') return { kind: 'equals', value }
  if (used[0] === 'in') return parseIn(value, faults)
  if (typeof value === 'string' && value !== '') return { kind: 'from', argument: value }
  faults.push({ says: 'whose check.from is not the name of a write argument', detail: shown(value) })
  return undefined
}

function parseIn(value: Json, faults: Fault[]): Test | undefined {
  if (Array.isArray(value) && value.length > 0) return { kind: 'in', values: value }
  faults.push({ says: 'whose check.in is not a non-empty list of allowed values', detail: shown(value) })
  return undefined
}

function parseBounds(check: JsonObject, compared: readonly Operator[], faults: Fault[]): Test | undefined {
  const bounds: Bound[] = []
  for (const operator of compared) {
    const to = parseTo(check[operator] ?? null)
    if (to === undefined)
      faults.push({
        says: `whose check.${operator} is not a number or {"from": "<write argument>"}`,
        detail: shown(check[operator] ?? null),
      })
    else bounds.push({ operator, to })
  }
  return bounds.length === compared.length ? { kind: 'compare', bounds } : undefined
}

function parseTo(value: Json): Bound['to'] | undefined {
  if (isNumber(value)) return value
  const mapping = parseMapping(value)
  return mapping && 'from' in mapping ? mapping : undefined
}

/** The check as its tool declared it. */
export const writtenCheck = ({ path, test }: Check): JsonObject => ({ path: path.join('.'), ...writtenTest(test) })

function writtenTest(test: Test): JsonObject {
  switch (test.kind) {
    case 'equals':
      return { equals: test.value }
    case 'in':
      return { in: test.values }
    case 'from':
      return { from: test.argument }
    case 'compare':
      return Object.fromEntries(test.bounds.map(({ operator, to }) => [operator, to]))
  }
}

/** Every write argument that the object reads. */
export function argumentsReadBy({ arguments: mapped, check }: ReadCheck): string[] {
  const copied = Object.values(mapped).flatMap((mapping) => ('from' in mapping ? [mapping.from] : []))
  const { test } = check
  if (test.kind === 'from') return [...copied, test.argument]
  if (test.kind !== 'compare') return copied
  return [...copied, ...test.bounds.flatMap(({ to }) => (isNumber(to) ? [] : [to.from]))]
}
