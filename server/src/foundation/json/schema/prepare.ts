// Checks a schema as a schema and resolves its references, without running it. Nothing is ever fetched: a reference
// leads to a place inside the same schema, or is a problem. One pass, linear in the schema's size.
import { isObject, type Json, type JsonObject, member } from '../json-value.ts'
import { checkPattern } from '../pattern/index.ts'
import { circleIn } from './circle.ts'
import { dialectOf } from './dialects.ts'
import type { Dialect, Keyword, Prepared, Problem, Resource, Schema, Site } from './model.ts'
import { locate, resourceUri } from './references.ts'
import { cut, shown } from './report.ts'

const mostProblems = 5
/** All the patterns of one schema together, in states and characters. */
const mostPatternCost = 100_000

/** What a schema is being read into. */
type Reading = {
  dialect: Dialect
  sites: Map<JsonObject, Site>
  resources: Map<string, Resource>
  problems: Problem[]
  patternCost: number
  /** References still to follow; following one may find schemas that no keyword led to. */
  open: { site: Site; keyword: '$ref' | '$dynamicRef'; reference: string }[]
}

export type PrepareResult = { ok: true; prepared: Prepared } | { ok: false; problems: Problem[] }

export function prepareSchema(root: Schema): PrepareResult {
  const $schema = isObject(root) ? member(root, '$schema') : undefined
  const dialect = dialectOf(typeof $schema === 'string' ? $schema : undefined)
  if (!dialect) {
    const message = `names the dialect ${shown($schema ?? null)}, which is not supported: use 2020-12 (or leave $schema out) or draft-07`
    return { ok: false, problems: [{ path: '$schema', message }] }
  }
  const reading: Reading = { dialect, sites: new Map(), resources: new Map(), problems: [], patternCost: 0, open: [] }
  const resource: Resource = { uri: 'https://schema.invalid/', root, anchors: new Map(), dynamicAnchors: new Map() }
  reading.resources.set(resource.uri, resource)
  readSchema(reading, root, resource, '')
  for (let next = reading.open.pop(); next; next = reading.open.pop()) follow(reading, next)
  if (reading.patternCost > mostPatternCost)
    note(
      reading,
      '',
      'has patterns that are too large together to be checked in bounded time: shorten them or lower their counts',
    )
  const circle = reading.problems.length === 0 ? circleIn(reading.sites, dialect) : undefined
  if (circle !== undefined)
    note(reading, circle, 'refers to itself with nothing in between, so no value could ever be checked')
  if (reading.problems.length > 0) return { ok: false, problems: reading.problems }
  return { ok: true, prepared: { root, dialect, sites: reading.sites } }
}

function note(reading: Reading, path: string, message: string): void {
  if (reading.problems.length < mostProblems) reading.problems.push({ path, message })
}

function readSchema(reading: Reading, schema: Json, resource: Resource, path: string): void {
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

function readKeyword(reading: Reading, site: Site, name: string, keyword: Keyword, given: Json): void {
  const path = join(site.path, name)
  const wrong = keyword.shape(given)
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
  for (const [key, inner] of keyword.inner?.(given) ?? []) readSchema(reading, inner, site.resource, join(path, key))
}

const join = (path: string, key: string): string => (path === '' ? key : key === '' ? path : `${path}.${cut(key, 60)}`)

function patternsIn(name: string, given: Json): string[] {
  if (name === 'pattern' && typeof given === 'string') return [given]
  return name === 'patternProperties' && isObject(given) ? Object.keys(given) : []
}

function readPattern(reading: Reading, path: string, source: string): void {
  const checked = checkPattern(source)
  if (!checked.ok) note(reading, path, `(the pattern ${cut(source, 60)}) ${checked.problem}`)
  reading.patternCost += source.length + (checked.ok ? checked.states : 0)
}

/** An `$id` opens a resource of its own. In draft 7 one that is only a fragment is an anchor. */
function enterResource(reading: Reading, schema: JsonObject, outer: Resource, path: string): Resource {
  const { $id } = schema
  if (typeof $id !== 'string' || (reading.dialect.refStandsAlone && $id.startsWith('#'))) return outer
  const uri = resourceUri($id, outer)
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

function follow(reading: Reading, { site, keyword, reference }: Reading['open'][number]): void {
  const { outside, target, resource, fragment } = locate(reading.resources, site.resource, reference)
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

/** A dynamic reference is dynamic only when it first lands on a `$dynamicAnchor` of that very name. */
function dynamicAnchorOf(fragment: string, target: Schema, reading: Reading): string | undefined {
  const landed = isObject(target) ? reading.sites.get(target)?.resource.dynamicAnchors.get(fragment) : undefined
  return landed === target ? fragment : undefined
}
