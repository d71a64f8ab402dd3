import {
  atOnce,
  inTurns,
  isObject,
  type Json,
  type JsonObject,
  type Measured,
  measureJson,
  member,
  shown,
  turnOf,
  type Work,
} from '../../kernel/json/index.ts'
import { prepareParameters } from './argument-schema.ts'
import { type DeclaredArguments, declaredArguments, type Entry, labelOf } from './entry.ts'
import { checkHttp } from './http-rules.ts'
import { deepestCatalog, mostCatalogCharacters, mostCatalogValues, mostTools, mostToolValues } from './limits.ts'
import { checkMembers } from './member-rules.ts'
import {
  addProblem,
  type CatalogError,
  type CatalogRule,
  errorsOf,
  noProblems,
  type Problems,
  problemText,
} from './problems.ts'
import { checkReadChecks } from './read-check-rules.ts'
import { membersOf, type Tool, toTool } from './tool-spec.ts'
import { addWarnings, allWarnings, noWarnings, type Warning } from './warnings.ts'

export type CatalogChecked =
  | { ok: true; tools: Tool[]; toolCount: number; writeToolCount: number; warnings: Warning[] }
  | { ok: false; error: string; errors: CatalogError[] }

const mostBadParameters = 1_000

const notObject: CatalogRule = {
  member: null,
  says: 'are not JSON objects',
  one: 'is not a JSON object',
  fix: 'A catalog is a list of tool objects.',
}
const badParameters: CatalogRule = {
  member: 'parameters',
  says: 'have parameters that are not a JSON Schema of their arguments',
  fix: 'Parameters are a JSON Schema (2020-12, or draft 7 with $schema) of type object.',
}
const duplicate: CatalogRule = {
  member: 'name',
  says: 'are declared more than once',
  fix: 'Names are compared without regard to case, also with the tools of your MCP servers: rename or remove all but one.',
}

/**
 * Checks a whole catalog, whatever was sent, and reports every problem in one message. The time is linear in the size of
 * the catalog. Nothing in it is changed: what is not understood stays in each tool's `raw`.
 */
export const validateCatalog = (value: unknown): CatalogChecked => atOnce(check(value))

/** The same, with turns for other requests in between: a catalog may be megabytes. */
export const validateCatalogInTurns = (value: unknown): Promise<CatalogChecked> => inTurns(check(value))

function* check(value: unknown): Work<CatalogChecked> {
  const measured = yield* measureCatalog(value)
  if (!measured.ok) {
    const { error } = measured
    return { ok: false, error, errors: [{ tool: null, member: null, message: error }] }
  }
  const problems = noProblems()
  const entries = yield* toEntries(measured.list, problems)
  checkDuplicates(entries, problems)
  const catalog = new Map(entries.toReversed().map((entry) => [nameOf(entry), entry] as const))
  const isTurnOver = turnOf(valuesPerTurn)
  for (const entry of entries) {
    checkMembers(entry, problems)
    checkHttp(entry, problems)
    checkReadChecks(entry, catalog, problems)
    if (isTurnOver(costOf(entry))) yield
  }
  const error = problemText(problems)
  return error === undefined ? yield* accept(entries) : { ok: false, error, errors: errorsOf(problems) }
}

/** A name that is not text finds nothing; another rule reports it. */
const nameOf = ({ raw }: Entry): string => {
  const name = member(raw, 'name')
  return typeof name === 'string' ? name : ''
}

function* accept(entries: readonly Entry[]): Work<CatalogChecked> {
  const tools: Tool[] = []
  const warnings = noWarnings()
  const isTurnOver = turnOf(valuesPerTurn)
  for (const entry of entries) {
    const tool = toTool(entry.sent)
    tools.push(tool)
    addWarnings(warnings, tool, entry.arguments?.names ?? [])
    if (isTurnOver(costOf(entry))) yield
  }
  return {
    ok: true,
    tools,
    toolCount: tools.length,
    writeToolCount: tools.filter(({ isWrite }) => isWrite).length,
    warnings: allWarnings(warnings),
  }
}

function* toEntries(list: readonly Listed[], problems: Problems): Work<Entry[]> {
  const entries: Entry[] = []
  const isTurnOver = turnOf(valuesPerTurn)
  for (const [index, { raw: sent, values }] of list.entries()) {
    const label = labelOf(sent, index)
    if (!isObject(sent)) {
      addProblem(problems, notObject, label, shown(sent))
      continue
    }
    const raw = membersOf(sent)
    const { is_write: isWrite = false } = raw
    const declared = yield* checkParameters(raw, label, problems)
    const entry = { label, raw, sent, values, mayBeWrite: isWrite !== false, arguments: declared }
    entries.push(entry)
    if (isTurnOver(costOf(entry))) yield
  }
  return entries
}

/** However small, a tool costs as much as some values do. */
const costOf = ({ values }: Entry): number => 20 + values

function* checkParameters(raw: JsonObject, label: string, problems: Problems): Work<DeclaredArguments | undefined> {
  // When this many schemas are broken, the first ten that are named are enough to go on with.
  if ((problems.rules.get(badParameters.says)?.tools.size ?? 0) >= mostBadParameters) return undefined
  const result = yield* prepareParameters(member(raw, 'parameters'))
  if (result.ok) return declaredArguments(result.prepared)
  for (const { path, message } of result.problems) {
    addProblem(problems, badParameters, label, `${path === '' ? 'parameters' : `parameters.${path}`} ${message}`)
  }
  return undefined
}

function checkDuplicates(entries: readonly Entry[], problems: Problems): void {
  const byName = new Map<string, Entry[]>()
  for (const entry of entries) {
    const name = member(entry.raw, 'name')
    if (typeof name !== 'string' || name.trim() === '') continue
    const key = name.toLowerCase()
    const same = byName.get(key)
    if (same) same.push(entry)
    else byName.set(key, [entry])
  }
  for (const same of byName.values()) {
    if (same.length > 1) for (const { label } of same) addProblem(problems, duplicate, label)
  }
}

/** Values that are looked at before other requests get a turn: about 3 ms. */
const valuesPerTurn = 5_000

/** What a catalog lists; whether it is a tool is not known yet. `values`: how many values stand in it. */
type Listed = { raw: Json; values: number }
type CatalogMeasured = { ok: true; list: Listed[] } | { ok: false; error: string }

/** Refuses what is no list, or too large to be looked at any further. */
function* measureCatalog(value: unknown): Work<CatalogMeasured> {
  if (!Array.isArray(value))
    return refused(`A catalog is a JSON array of tools; this is ${kindOf(value)}. Send the array itself.`)
  if (value.length > mostTools)
    return refused(
      `The catalog has ${value.length} tools; ${mostTools} is the most. Leave out the tools that no assistant needs.`,
    )
  const list: Listed[] = []
  const isTurnOver = turnOf(valuesPerTurn)
  let maxSize = mostCatalogCharacters
  let values = 0
  for (const [index, raw] of value.entries()) {
    const measured = measureJson(raw, { maxDepth: deepestCatalog - 1, maxSize, maxValues: mostToolValues })
    if (!measured.ok) return refused(refusals[measured.reason](labelOf(raw, index)))
    maxSize -= measured.size + 1
    values += measured.values
    if (values > mostCatalogValues)
      return refused(
        `The catalog holds more than ${mostCatalogValues} values. Leave out what no assistant needs to know.`,
      )
    list.push({ raw, values: measured.values })
    if (isTurnOver(measured.values)) yield
  }
  return { ok: true, list }
}

const refused = (error: string) => ({ ok: false, error }) as const

const refusals: Record<Extract<Measured, { ok: false }>['reason'], (label: string) => string> = {
  too_large: () =>
    `The catalog is larger than ${mostCatalogCharacters / 1024 / 1024} MiB. Shorten descriptions and schemas.`,
  too_deep: () => `The catalog is nested more than ${deepestCatalog} levels deep. Flatten the schemas.`,
  too_many: (label) => `${label} holds more than ${mostToolValues} values. Leave out what the model does not need.`,
  not_json: () => 'The catalog holds something that is not JSON.',
}

function kindOf(value: unknown): string {
  if (isObject(value)) return 'an object'
  const isPlain = value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
  return isPlain ? shown(value) : 'something else'
}
