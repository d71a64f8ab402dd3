import { setImmediate } from 'node:timers/promises'
import { isObject, type Json, type JsonObject, measureJson, member, shown } from '../../foundation/json/index.ts'
import { prepareParameters } from './argument-schema.ts'
import { type DeclaredArguments, declaredArguments } from './declared-arguments.ts'
import { type Entry, labelOf } from './entry.ts'
import { checkHttp } from './http-rules.ts'
import { deepestCatalog, mostCatalogCharacters, mostTools } from './limits.ts'
import { checkMembers } from './member-rules.ts'
import { addProblem, type CatalogRule, noProblems, type Problems, problemText } from './problems.ts'
import { checkReadChecks } from './read-check-rules.ts'
import { membersOf, type Tool, toTool } from './tool-spec.ts'
import { type Warning, warningsFor } from './warnings.ts'

export type CatalogChecked =
  | { ok: true; tools: Tool[]; toolCount: number; writeToolCount: number; warnings: Warning[] }
  | { ok: false; error: string }

/** How much is done before other requests get a turn: about 10 ms. */
const entriesPerTurn = 500
const weightPerTurn = 128 * 1024
const mostBadParameters = 1_000

const notObject: CatalogRule = { says: 'are not JSON objects', fix: 'A catalog is a list of tool objects.' }
const badParameters: CatalogRule = {
  says: 'have parameters that are not a JSON Schema of their arguments',
  fix: 'Parameters are a JSON Schema (2020-12, or draft 7 with $schema) of type object.',
}
const duplicate: CatalogRule = {
  says: 'are declared more than once',
  fix: 'Names are compared without regard to case: rename or remove all but one.',
}

/**
 * Checks a whole catalog, whatever was sent, and reports every problem in one message. The time is linear in the size of
 * the catalog. Nothing in it is changed: what is not understood stays in each tool's `raw`.
 */
export function validateCatalog(value: unknown): CatalogChecked {
  const work = check(value)
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value
}

/** The same, with turns for other requests in between: a catalog may be megabytes. */
export async function validateCatalogInTurns(value: unknown): Promise<CatalogChecked> {
  const work = check(value)
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    await setImmediate()
  }
}

/** Yields now and then; the result is what it returns. */
type CatalogCheck<Result> = Generator<undefined, Result, void>

function* check(value: unknown): CatalogCheck<CatalogChecked> {
  const refusal = refuseWhole(value)
  if (refusal !== undefined) return { ok: false, error: refusal }
  const problems = noProblems()
  // refuseWhole has found a list, and measured every value in it as JSON.
  const entries = yield* toEntries(value as Json[], problems)
  checkDuplicates(entries, problems)
  const catalog = new Map(entries.toReversed().map((entry) => [nameOf(entry), entry] as const))
  for (const [index, entry] of entries.entries()) {
    checkMembers(entry, problems)
    checkHttp(entry, problems)
    checkReadChecks(entry, catalog, problems)
    if (index % entriesPerTurn === entriesPerTurn - 1) yield
  }
  const error = problemText(problems)
  return error === undefined ? accept(entries) : { ok: false, error }
}

/** A name that is not text finds nothing; another rule reports it. */
const nameOf = ({ raw }: Entry): string => {
  const name = member(raw, 'name')
  return typeof name === 'string' ? name : ''
}

function accept(entries: readonly Entry[]): CatalogChecked {
  const tools = entries.map(({ sent }) => toTool(sent))
  const declared = new Map<JsonObject, DeclaredArguments | undefined>(
    entries.map((entry) => [entry.sent, entry.arguments]),
  )
  return {
    ok: true,
    tools,
    toolCount: tools.length,
    writeToolCount: tools.filter(({ isWrite }) => isWrite).length,
    warnings: warningsFor(tools, ({ raw }) => declared.get(raw)?.names ?? []),
  }
}

function refuseWhole(value: unknown): string | undefined {
  if (!Array.isArray(value))
    return `A catalog is a JSON array of tools; this is ${isObject(value) ? 'an object' : shownKind(value)}. Send the array itself.`
  if (value.length > mostTools)
    return `The catalog has ${value.length} tools; ${mostTools} is the most. Leave out the tools that no assistant needs.`
  const measured = measureJson(value, { maxDepth: deepestCatalog, maxSize: mostCatalogCharacters })
  if (measured.ok) return undefined
  const reasons = {
    too_large: `The catalog is larger than ${mostCatalogCharacters / 1024 / 1024} MiB. Shorten descriptions and schemas.`,
    too_deep: `The catalog is nested more than ${deepestCatalog} levels deep. Flatten the schemas.`,
    not_json: 'The catalog holds something that is not JSON.',
  }
  return reasons[measured.reason]
}

const shownKind = (value: unknown): string =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
    ? shown(value)
    : 'something else'

function* toEntries(list: readonly Json[], problems: Problems): CatalogCheck<Entry[]> {
  const entries: Entry[] = []
  let weight = 0
  for (const [index, sent] of list.entries()) {
    const label = labelOf(sent, index)
    if (!isObject(sent)) {
      addProblem(problems, notObject, label, shown(sent))
      continue
    }
    const raw = membersOf(sent)
    const { is_write: isWrite = false } = raw
    const declared = checkParameters(raw, label, problems)
    entries.push({ label, raw, sent, mayBeWrite: isWrite !== false, arguments: declared })
    weight += weightOf(raw)
    if (weight < weightPerTurn) continue
    weight = 0
    yield
  }
  return entries
}

function weightOf(raw: JsonObject): number {
  const measured = measureJson(member(raw, 'parameters') ?? null, {
    maxDepth: deepestCatalog,
    maxSize: mostCatalogCharacters,
  })
  return 500 + (measured.ok ? measured.size : 0)
}

function checkParameters(raw: JsonObject, label: string, problems: Problems): DeclaredArguments | undefined {
  // When this many schemas are broken, the first ten that are named are enough to go on with.
  if ((problems.get(badParameters.says)?.tools.size ?? 0) >= mostBadParameters) return undefined
  const result = prepareParameters(member(raw, 'parameters'))
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
