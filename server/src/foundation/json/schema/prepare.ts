// Checks that a schema is valid and resolves its references, without running it. It fetches nothing: a reference must
// lead into the same schema. It takes one pass, linear in the schema's size.
import { isObject, type Json, type JsonObject, member } from '../json-value.ts'
import { checkPattern } from '../pattern/index.ts'
import { circleIn } from './circle.ts'
import { dialectOf } from './dialects.ts'
import type { Dialect, Keyword, Prepared, Problem, Resource, Schema, Site } from './model.ts'
import { locate, resourceUri } from './references.ts'
import { cut, shown } from './report.ts'

const mostProblems = 5
/** The limit for all patterns of a schema together, in states and characters. */
const mostPatternCost = 100_000

/** What we collect while we read a schema. */
type SchemaReading = {
  dialect: Dialect
  sites: Map<JsonObject, Site>
  resources: Map<string, Resource>
  problems: Problem[]
  patternCost: number
  /** References still to follow. One may lead to schemas that no keyword led to. */
  open: { site: Site; keyword: '$ref' | '$dynamicRef'; reference: string }[]
}

export type PrepareResult = { ok: true; prepared: Prepared } | { ok: false; problems: Problem[] }

export function prepareSchema(root: Schema): PrepareResult {
  const $schema = isObject(root) ? member(root, '$schema') : undefined
  const dialect = dialectOf(typeof $schema === 'string' ? $schema : undefined)
  if (!dialect) {
    const message = `names the dialect ${shown($schema ?? null)}, which is not supported. Use 2020-12 (or leave $schema out) or draft-07`
    return { ok: false, problems: [{ path: '$schema', message }] }
  }
  const reading: SchemaReading = {
    dialect,
    sites: new Map(),
    resources: new Map(),
    problems: [],
    patternCost: 0,
    open: [],
  }
  const resource: Resource = { uri: 'https://schema.invalid/', root, anchors: new Map(), dynamicAnchors: new Map() }
  reading.resources.set(resource.uri, resource)
  readSchema(reading, root, resource, '')
  for (let next = reading.open.pop(); next; next = reading.open.pop()) followReference(reading, next)
  if (reading.patternCost > mostPatternCost)
    addProblem(
      reading,
      '',
      'has patterns that are together too large to be checked in bounded time. Shorten them or lower their counts',
    )
  const circle = reading.problems.length === 0 ? circleIn(reading.sites, dialect) : undefined
  if (circle !== undefined)
    addProblem(reading, circle, 'refers to itself with nothing in between, so that no value could ever be checked')
  if (reading.problems.length > 0) return { ok: false, problems: reading.problems }
  return { ok: true, prepared: { root, dialect, sites: reading.sites } }
}

function addProblem(reading: SchemaReading, path: string, message: string): void {
  if (reading.problems.length < mostProblems) reading.problems.push({ path, message })
}

function readSchema(reading: SchemaReading, schema: Json, resource: Resource, path: string): void {
  if (!isObject(schema) || reading.sites.has(schema) || reading.problems.length >= mostProblems) return
  const { $ref } = schema
  const alone = reading.dialect.refStandsAlone && typeof $ref === 'string'
  const own = alone ? resource : enterResource(reading, schema, resource, path)
  const site: Site = { schema, resource: own, path }
  reading.sites.set(schema, site)
  if (!alone) addAnchors(reading, site)
  for (const [name, given] of Object.entries(schema)) {
    const keyword = reading.dialect.keywords.get(name)
    if (keyword && (!alone || name === '$ref')) readKeyword(reading, site, name, keyword, given)
  }
}

function readKeyword(reading: SchemaReading, site: Site, name: string, keyword: Keyword, given: Json): void {
  const path = joinPath(site.path, name)
  const wrong = keyword.shape(given)
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
  for (const [key, inner] of keyword.inner?.(given) ?? [])
    readSchema(reading, inner, site.resource, joinPath(path, key))
}

const joinPath = (path: string, key: string): string =>
  path === '' ? key : key === '' ? path : `${path}.${cut(key, 60)}`

function patternsIn(name: string, given: Json): string[] {
  if (name === 'pattern' && typeof given === 'string') return [given]
  return name === 'patternProperties' && isObject(given) ? Object.keys(given) : []
}

function readPattern(reading: SchemaReading, path: string, source: string): void {
  const checked = checkPattern(source)
  if (!checked.ok) addProblem(reading, path, `(the pattern ${cut(source, 60)}) ${checked.problem}`)
  reading.patternCost += source.length + (checked.ok ? checked.states : 0)
}

/** An `$id` begins a new resource. In draft 7, an `$id` that is only a fragment is an anchor. */
function enterResource(reading: SchemaReading, schema: JsonObject, outer: Resource, path: string): Resource {
  const { $id } = schema
  if (typeof $id !== 'string' || (reading.dialect.refStandsAlone && $id.startsWith('#'))) return outer
  const uri = resourceUri($id, outer)
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

function followReference(reading: SchemaReading, { site, keyword, reference }: SchemaReading['open'][number]): void {
  const { outside, target, resource, fragment } = locate(reading.resources, site.resource, reference)
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

/** A dynamic reference is dynamic only if it first leads to a `$dynamicAnchor` of the same name. */
function dynamicAnchorOf(fragment: string, target: Schema, reading: SchemaReading): string | undefined {
  const landed = isObject(target) ? reading.sites.get(target)?.resource.dynamicAnchors.get(fragment) : undefined
  return landed === target ? fragment : undefined
}
