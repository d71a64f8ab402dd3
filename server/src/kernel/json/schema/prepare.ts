// Checks that a schema is valid and resolves its references, without running it. It fetches nothing: a reference must
// lead into the same schema. It takes one pass within a budget of work, with turns for other requests.
import { BudgetSpent, spend, type WorkBudget } from '../budget.ts'
import { isObject, type Json, type JsonObject, member } from '../json-value.ts'
import { checkPattern } from '../pattern/index.ts'
import { atOnce, turnOf, type Work } from '../turns.ts'
import { circleIn } from './circle.ts'
import { dialectOf } from './dialects.ts'
import type { Dialect, Keyword, Prepared, Problem, Resource, Schema, Site } from './model.ts'
import { type Located, locate, longestAddress, resourceUri } from './references.ts'
import { cut, shown } from './report.ts'

const mostProblems = 5
/** The limit for all patterns of a schema together, in states and characters. */
const mostPatternCost = 100_000
/** About 50 ms of work, five times what the largest ordinary schema takes. */
const wholeBudget = 5_000_000
/** About 2 ms, then other requests get a turn. */
const unitsPerTurn = 200_000

/** Schemas next to each other, and how many of them we have read. */
type Unread = { schemas: readonly [key: string, schema: Json][]; done: number; resource: Resource; path: string }
type Reference = { site: Site; keyword: '$ref' | '$dynamicRef'; reference: string }

/** What we collect while we read a schema. */
type SchemaReading = {
  dialect: Dialect
  budget: WorkBudget
  sites: Map<JsonObject, Site>
  /** Resources by address, and by root. */
  resources: Map<string, Resource>
  rooted: Map<Json, Resource>
  problems: Problem[]
  patternCost: number
  /** The innermost schemas are last. */
  unread: Unread[]
  /** References still to follow. One may lead to schemas that no keyword led to. */
  open: Reference[]
  /** Where references lead, by the resource that they are in. */
  followed: Map<Resource, Map<string, Located>>
}

export type PrepareResult = { ok: true; prepared: Prepared } | { ok: false; problems: Problem[] }

export const prepareSchema = (root: Schema): PrepareResult => atOnce(prepareInTurns(root))

/** The same, with turns for other requests in between. */
export function* prepareInTurns(root: Schema): Work<PrepareResult> {
  const $schema = isObject(root) ? member(root, '$schema') : undefined
  const dialect = dialectOf(typeof $schema === 'string' ? $schema : undefined)
  if (!dialect) {
    const message = `names the dialect ${shown($schema ?? null)}, which is not supported. Use 2020-12 (or leave $schema out) or draft-07`
    return { ok: false, problems: [{ path: '$schema', message }] }
  }
  const reading = beginReading(root, dialect)
  try {
    yield* readAll(reading)
    const circle = reading.problems.length === 0 ? yield* circleIn(reading.sites, dialect, reading.budget) : undefined
    if (circle !== undefined)
      addProblem(reading, circle, 'refers to itself with nothing in between, so that no value could ever be checked')
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    addProblem(reading, '', 'would take too long to check. Use fewer schemas and references, with shorter addresses')
  }
  if (reading.problems.length > 0) return { ok: false, problems: reading.problems }
  return { ok: true, prepared: { root, dialect, sites: reading.sites } }
}

function beginReading(root: Schema, dialect: Dialect): SchemaReading {
  const resource: Resource = { uri: 'https://schema.invalid/', root, anchors: new Map(), dynamicAnchors: new Map() }
  return {
    dialect,
    budget: { left: wholeBudget },
    sites: new Map(),
    resources: new Map([[resource.uri, resource]]),
    rooted: new Map(),
    problems: [],
    patternCost: 0,
    unread: [{ schemas: [['', root]], done: 0, resource, path: '' }],
    open: [],
    followed: new Map(),
  }
}

/** Reads every schema first, and then follows the references to the rest. */
function* readAll(reading: SchemaReading): Work<void> {
  const { budget } = reading
  const isTurnOver = turnOf(unitsPerTurn)
  for (let before = budget.left; reading.problems.length < mostProblems && readNext(reading); before = budget.left) {
    if (isTurnOver(before - budget.left)) yield
  }
}

/** Returns false when everything is read. */
function readNext(reading: SchemaReading): boolean {
  const list = reading.unread.at(-1)
  if (list === undefined) {
    const reference = reading.open.pop()
    if (reference !== undefined) followReference(reading, reference)
    return reference !== undefined
  }
  const next = list.schemas[list.done++]
  if (next === undefined) reading.unread.pop()
  else readSchema(reading, next[1], list.resource, joinPath(list.path, next[0]))
  return true
}

function addProblem(reading: SchemaReading, path: string, message: string): void {
  if (reading.problems.length < mostProblems) reading.problems.push({ path, message })
}

/** Reads one schema, and lists the schemas inside it to be read next. */
function readSchema(reading: SchemaReading, schema: Json, resource: Resource, path: string): void {
  spend(reading.budget, 50)
  if (!isObject(schema) || reading.sites.has(schema)) return
  const { $ref } = schema
  const alone = reading.dialect.refStandsAlone && typeof $ref === 'string'
  const own = alone ? resource : enterResource(reading, schema, resource, path)
  const site: Site = { schema, resource: own, path }
  reading.sites.set(schema, site)
  if (!alone) addAnchors(reading, site)
  for (const [name, given] of Object.entries(schema)) {
    spend(reading.budget, 10)
    const keyword = reading.dialect.keywords.get(name)
    if (keyword && (!alone || name === '$ref')) readKeyword(reading, site, name, keyword, given)
  }
}

function readKeyword(reading: SchemaReading, site: Site, name: string, keyword: Keyword, given: Json): void {
  const path = joinPath(site.path, name)
  const wrong = keyword.shape(given) ?? tooLong(name, given)
  if (wrong !== undefined) {
    addProblem(reading, path, wrong)
    return
  }
  for (const source of patternsIn(name, given)) readPattern(reading, path, source)
  if (name === '$schema' && path !== '$schema' && dialectOf(String(given)) !== reading.dialect) {
    addProblem(reading, path, 'names a different dialect from the schema around it. Use one dialect throughout')
  }
  if ((name === '$ref' || name === '$dynamicRef') && typeof given === 'string')
    reading.open.push({ site, keyword: name, reference: given })
  const schemas = keyword.inner?.(given) ?? []
  spend(reading.budget, schemas.length)
  if (schemas.length > 0) reading.unread.push({ schemas, done: 0, resource: site.resource, path })
}

function tooLong(name: string, given: Json): string | undefined {
  const isAddress = name === '$id' || name === '$ref' || name === '$dynamicRef'
  return isAddress && typeof given === 'string' && given.length > longestAddress ? overlong : undefined
}
const overlong = `is longer than ${longestAddress} characters. Use shorter addresses`

const joinPath = (path: string, key: string): string =>
  path === '' ? key : key === '' ? path : `${path}.${cut(key, 60)}`

function patternsIn(name: string, given: Json): string[] {
  if (name === 'pattern' && typeof given === 'string') return [given]
  return name === 'patternProperties' && isObject(given) ? Object.keys(given) : []
}

function readPattern(reading: SchemaReading, path: string, source: string): void {
  if (reading.patternCost > mostPatternCost) return
  spend(reading.budget, 100 + source.length * 5)
  const checked = checkPattern(source)
  if (!checked.ok) addProblem(reading, path, `(the pattern ${cut(source, 60)}) ${checked.problem}`)
  reading.patternCost += source.length + (checked.ok ? checked.states : 0)
  if (reading.patternCost > mostPatternCost) addProblem(reading, '', patternsTooLarge)
}
const patternsTooLarge =
  'has patterns that are together too large to be checked in bounded time. Shorten them or lower their counts'

/** An `$id` begins a new resource. In draft 7, an `$id` that is only a fragment is an anchor. */
function enterResource(reading: SchemaReading, schema: JsonObject, outer: Resource, path: string): Resource {
  const { $id } = schema
  if (typeof $id !== 'string' || (reading.dialect.refStandsAlone && $id.startsWith('#'))) return outer
  const uri = resourceUri($id, outer, reading.budget)
  const fragment = $id.slice($id.indexOf('#') + 1)
  if (uri === undefined || (!reading.dialect.refStandsAlone && $id.includes('#') && fragment !== '')) {
    addProblem(reading, joinPath(path, '$id'), `is not a usable address: ${shown($id)}`)
    return outer
  }
  if (reading.resources.has(uri)) {
    addProblem(reading, joinPath(path, '$id'), `is used twice: ${shown($id)}`)
    return outer
  }
  const resource: Resource = { uri, root: schema, anchors: new Map(), dynamicAnchors: new Map() }
  reading.resources.set(uri, resource)
  reading.rooted.set(schema, resource)
  return resource
}

function addAnchors(reading: SchemaReading, site: Site): void {
  const { $anchor, $dynamicAnchor, $id } = site.schema
  const { anchors, dynamicAnchors } = site.resource
  if (reading.dialect.refStandsAlone) {
    if (typeof $id === 'string' && /#./.test($id)) anchors.set($id.slice($id.indexOf('#') + 1), site.schema)
    return
  }
  for (const name of [$anchor, $dynamicAnchor]) {
    if (typeof name !== 'string') continue
    if (anchors.has(name) && anchors.get(name) !== site.schema)
      addProblem(reading, joinPath(site.path, '$anchor'), `is used twice: ${shown(name)}`)
    anchors.set(name, site.schema)
  }
  if (typeof $dynamicAnchor === 'string') dynamicAnchors.set($dynamicAnchor, site.schema)
}

function followReference(reading: SchemaReading, { site, keyword, reference }: Reference): void {
  const { outside, target, resource, fragment } = located(reading, site.resource, reference)
  if (resource && (typeof target === 'boolean' || isObject(target))) {
    readSchema(reading, target, resource, cut(reference, 60))
    if (keyword === '$ref') site.ref = target
    else site.dynamicRef = { target, anchor: dynamicAnchorOf(fragment, target, reading) }
    return
  }
  const why = outside
    ? 'points outside the schema, and we do not fetch anything. Copy its target into $defs and refer to it there'
    : 'does not lead to a schema, because nothing in this one has that address'
  addProblem(reading, joinPath(site.path, keyword), `${shown(reference)} ${why}`)
}

/** Resolves each reference once, because thousands of schemas may hold the same one. */
function located(reading: SchemaReading, from: Resource, reference: string): Located {
  const known = reading.followed.get(from) ?? new Map<string, Located>()
  reading.followed.set(from, known)
  const found = known.get(reference) ?? locate(reading, from, reference)
  known.set(reference, found)
  return found
}

/** A dynamic reference is dynamic only if it first leads to a `$dynamicAnchor` of the same name. */
function dynamicAnchorOf(fragment: string, target: Schema, reading: SchemaReading): string | undefined {
  const landed = isObject(target) ? reading.sites.get(target)?.resource.dynamicAnchors.get(fragment) : undefined
  return landed === target ? fragment : undefined
}
