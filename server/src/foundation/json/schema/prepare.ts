// Checks a schema as a schema and resolves its references, without running it. Nothing is ever fetched: a reference
// leads to a place inside the same schema, or is a problem. One pass in the order in which it is written, paid from a
// budget and done in turns.
import { type Budget, BudgetSpent, spend } from '../budget.ts'
import { isObject, type Json, type JsonObject, member } from '../json-value.ts'
import { checkPattern } from '../pattern/index.ts'
import { atOnce, turnOf, type Work } from '../turns.ts'
import { circleIn } from './circle.ts'
import { dialectOf } from './dialects.ts'
import type { Dialect, Keyword, Prepared, Problem, Resource, Schema, Site } from './model.ts'
import { type Located, locate, longestAddress, resourceUri } from './references.ts'
import { cut, shown } from './report.ts'

const mostProblems = 5
/** All the patterns of one schema together, in states and characters. */
const mostPatternCost = 100_000
/** Some 50 ms of work: five times what a schema of the largest size takes that says something with every word. */
const wholeBudget = 5_000_000
/** Some 2 ms: then others have their turn. */
const unitsPerTurn = 200_000

/** Schemas that stand beside one another, and how many of them were read. */
type Unread = { schemas: readonly [key: string, schema: Json][]; done: number; resource: Resource; path: string }
type Reference = { site: Site; keyword: '$ref' | '$dynamicRef'; reference: string }

/** What a schema is being read into. */
type Reading = {
  dialect: Dialect
  budget: Budget
  sites: Map<JsonObject, Site>
  /** By their addresses, and by their roots. */
  resources: Map<string, Resource>
  rooted: Map<Json, Resource>
  problems: Problem[]
  patternCost: number
  /** The innermost last. */
  unread: Unread[]
  /** References still to follow; following one may find schemas that no keyword led to. */
  open: Reference[]
  /** Where references led before, by the resource that they stand in. */
  followed: Map<Resource, Map<string, Located>>
}

export type PrepareResult = { ok: true; prepared: Prepared } | { ok: false; problems: Problem[] }

export const prepareSchema = (root: Schema): PrepareResult => atOnce(prepareInTurns(root))

/** The same, for whoever lets others have their turn in between. */
export function* prepareInTurns(root: Schema): Work<PrepareResult> {
  const $schema = isObject(root) ? member(root, '$schema') : undefined
  const dialect = dialectOf(typeof $schema === 'string' ? $schema : undefined)
  if (!dialect) {
    const message = `names the dialect ${shown($schema ?? null)}, which is not supported: use 2020-12 (or leave $schema out) or draft-07`
    return { ok: false, problems: [{ path: '$schema', message }] }
  }
  const reading = beginReading(root, dialect)
  try {
    yield* readAll(reading)
    const circle = reading.problems.length === 0 ? yield* circleIn(reading.sites, dialect, reading.budget) : undefined
    if (circle !== undefined)
      note(reading, circle, 'refers to itself with nothing in between, so no value could ever be checked')
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    note(reading, '', 'would take too long to check: use fewer schemas and references, with shorter addresses')
  }
  if (reading.problems.length > 0) return { ok: false, problems: reading.problems }
  return { ok: true, prepared: { root, dialect, sites: reading.sites } }
}

function beginReading(root: Schema, dialect: Dialect): Reading {
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

/** Every schema first, and then every reference, with the schemas that only a reference leads to. */
function* readAll(reading: Reading): Work<void> {
  const { budget } = reading
  const isTurnOver = turnOf(unitsPerTurn)
  for (let before = budget.left; reading.problems.length < mostProblems && readNext(reading); before = budget.left) {
    if (isTurnOver(before - budget.left)) yield
  }
}

/** False when all is read. */
function readNext(reading: Reading): boolean {
  const list = reading.unread.at(-1)
  if (list === undefined) {
    const reference = reading.open.pop()
    if (reference !== undefined) follow(reading, reference)
    return reference !== undefined
  }
  const next = list.schemas[list.done++]
  if (next === undefined) reading.unread.pop()
  else readSchema(reading, next[1], list.resource, join(list.path, next[0]))
  return true
}

function note(reading: Reading, path: string, message: string): void {
  if (reading.problems.length < mostProblems) reading.problems.push({ path, message })
}

/** Reads the schema itself, and puts those inside it on the list. */
function readSchema(reading: Reading, schema: Json, resource: Resource, path: string): void {
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

function readKeyword(reading: Reading, site: Site, name: string, keyword: Keyword, given: Json): void {
  const path = join(site.path, name)
  const wrong = keyword.shape(given) ?? tooLong(name, given)
  if (wrong !== undefined) {
    note(reading, path, wrong)
    return
  }
  for (const source of patternsIn(name, given)) readPattern(reading, path, source)
  if (name === '$schema' && path !== '$schema' && dialectOf(String(given)) !== reading.dialect) {
    note(reading, path, 'names another dialect than the schema around it: use one dialect throughout')
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
const overlong = `is longer than ${longestAddress} characters: use shorter addresses`

const join = (path: string, key: string): string => (path === '' ? key : key === '' ? path : `${path}.${cut(key, 60)}`)

function patternsIn(name: string, given: Json): string[] {
  if (name === 'pattern' && typeof given === 'string') return [given]
  return name === 'patternProperties' && isObject(given) ? Object.keys(given) : []
}

function readPattern(reading: Reading, path: string, source: string): void {
  if (reading.patternCost > mostPatternCost) return
  spend(reading.budget, 100 + source.length * 5)
  const checked = checkPattern(source)
  if (!checked.ok) note(reading, path, `(the pattern ${cut(source, 60)}) ${checked.problem}`)
  reading.patternCost += source.length + (checked.ok ? checked.states : 0)
  if (reading.patternCost > mostPatternCost) note(reading, '', patternsTooLarge)
}
const patternsTooLarge =
  'has patterns that are too large together to be checked in bounded time: shorten them or lower their counts'

/** An `$id` opens a resource of its own. In draft 7 one that is only a fragment is an anchor. */
function enterResource(reading: Reading, schema: JsonObject, outer: Resource, path: string): Resource {
  const { $id } = schema
  if (typeof $id !== 'string' || (reading.dialect.refStandsAlone && $id.startsWith('#'))) return outer
  const uri = resourceUri($id, outer, reading.budget)
  const fragment = $id.slice($id.indexOf('#') + 1)
  if (uri === undefined || (!reading.dialect.refStandsAlone && $id.includes('#') && fragment !== '')) {
    note(reading, join(path, '$id'), `is no usable address: ${shown($id)}`)
    return outer
  }
  if (reading.resources.has(uri)) {
    note(reading, join(path, '$id'), `is used twice: ${shown($id)}`)
    return outer
  }
  const resource: Resource = { uri, root: schema, anchors: new Map(), dynamicAnchors: new Map() }
  reading.resources.set(uri, resource)
  reading.rooted.set(schema, resource)
  return resource
}

function addAnchors(reading: Reading, site: Site): void {
  const { $anchor, $dynamicAnchor, $id } = site.schema
  const { anchors, dynamicAnchors } = site.resource
  if (reading.dialect.refStandsAlone) {
    if (typeof $id === 'string' && /#./.test($id)) anchors.set($id.slice($id.indexOf('#') + 1), site.schema)
    return
  }
  for (const name of [$anchor, $dynamicAnchor]) {
    if (typeof name !== 'string') continue
    if (anchors.has(name) && anchors.get(name) !== site.schema)
      note(reading, join(site.path, '$anchor'), `is used twice: ${shown(name)}`)
    anchors.set(name, site.schema)
  }
  if (typeof $dynamicAnchor === 'string') dynamicAnchors.set($dynamicAnchor, site.schema)
}

function follow(reading: Reading, { site, keyword, reference }: Reference): void {
  const { outside, target, resource, fragment } = located(reading, site.resource, reference)
  if (resource && (typeof target === 'boolean' || isObject(target))) {
    readSchema(reading, target, resource, cut(reference, 60))
    if (keyword === '$ref') site.ref = target
    else site.dynamicRef = { target, anchor: dynamicAnchorOf(fragment, target, reading) }
    return
  }
  const why = outside
    ? 'points outside the schema, and nothing is fetched: copy what it names into $defs and refer to it there'
    : 'leads to no schema: nothing in this one has that address'
  note(reading, join(site.path, keyword), `${shown(reference)} ${why}`)
}

/** Each pair once: thousands of schemas may refer to one. */
function located(reading: Reading, from: Resource, reference: string): Located {
  const known = reading.followed.get(from) ?? new Map<string, Located>()
  reading.followed.set(from, known)
  const found = known.get(reference) ?? locate(reading, from, reference)
  known.set(reference, found)
  return found
}

/** A dynamic reference is dynamic only when it first lands on a `$dynamicAnchor` of that very name. */
function dynamicAnchorOf(fragment: string, target: Schema, reading: Reading): string | undefined {
  const landed = isObject(target) ? reading.sites.get(target)?.resource.dynamicAnchors.get(fragment) : undefined
  return landed === target ? fragment : undefined
}
