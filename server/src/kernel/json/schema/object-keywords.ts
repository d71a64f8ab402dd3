import { spend } from '../budget.ts'
import { isNumber } from '../exact-number.ts'
import { isObject, type Json, type JsonObject, member } from '../json-value.ts'
import { patternMatches } from '../pattern/index.ts'
import { asSchema, innerMap, innerOne } from './inner.ts'
import type { Frame, Keyword } from './model.ts'
import { cut, listed, problem, shown } from './report.ts'
import { countShape, namesMapShape, namesShape, schemaMapShape, schemaOrNamesMapShape, schemaShape } from './shapes.ts'

const onObjects =
  (holds: (given: Json, frame: Frame, value: JsonObject) => boolean): NonNullable<Keyword['holds']> =>
  (given, frame) => {
    if (!isObject(frame.value)) return true
    spend(frame.run.budget, Object.keys(frame.value).length * 8)
    return holds(given, frame, frame.value)
  }

/** Checks one member against a schema, and marks it as seen. */
function memberFits(frame: Frame, name: string, value: Json, schemaOfMember: Json | undefined): boolean {
  if (frame.seen) {
    spend(frame.run.budget, 16)
    frame.seen.names.add(name)
  }
  return frame.run.fits(asSchema(schemaOfMember), value, {
    ...frame,
    place: { key: name, outer: frame.place },
    seen: undefined,
  })
}

/** Like every(), but continues after a failure if problems are being collected. */
function all<Item>(frame: Frame, items: Iterable<Item>, fine: (item: Item) => boolean): boolean {
  let every = true
  for (const item of items) {
    if (fine(item)) continue
    every = false
    if (!frame.run.report) return false
  }
  return every
}

const holdsProperties = (given: Json, frame: Frame, value: JsonObject): boolean =>
  all(frame, Object.entries(value), ([name, inner]) => {
    const declared = isObject(given) ? member(given, name) : undefined
    return declared === undefined || memberFits(frame, name, inner, declared)
  })

function holdsPatterns(given: Json, frame: Frame, value: JsonObject): boolean {
  const members = Object.entries(value)
  if (members.length === 0) return true
  return all(frame, innerMap(given), ([pattern, declared]) =>
    all(
      frame,
      members,
      ([name, inner]) => !patternMatches(pattern, name, frame.run.budget) || memberFits(frame, name, inner, declared),
    ),
  )
}

function holdsAdditional(given: Json, frame: Frame, value: JsonObject): boolean {
  const { properties, patternProperties } = frame.site.schema
  const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : []
  const extra = Object.entries(value).filter(
    ([name]) =>
      !(isObject(properties) && Object.hasOwn(properties, name)) &&
      !patterns.some((pattern) => patternMatches(pattern, name, frame.run.budget)),
  )
  return restFits(given, frame, extra, () => (isObject(properties) ? Object.keys(properties) : []))
}

function holdsUnevaluated(given: Json, frame: Frame, value: JsonObject): boolean {
  const members = Object.entries(value)
  spend(frame.run.budget, members.length * 16)
  const extra = members.filter(([name]) => !frame.seen?.names.has(name))
  return restFits(given, frame, extra, () => [...(frame.seen?.names ?? [])])
}

function restFits(given: Json, frame: Frame, extra: [string, Json][], known: () => string[]): boolean {
  if (given !== false) return all(frame, extra, ([name, inner]) => memberFits(frame, name, inner, given))
  const words = (): string =>
    `is not known; known here: ${listed(known().map((name) => `\`${cut(name, 60)}\``)) || 'none'}`
  return all(frame, extra, ([name]) => problem(frame, words, { key: name, outer: frame.place }))
}

function requires(frame: Frame, value: JsonObject, wanted: Json, because = ''): boolean {
  return all(frame, Array.isArray(wanted) ? wanted : [], (name) => {
    const key = String(name)
    return Object.hasOwn(value, key) || problem(frame, () => `is required${because}`, { key, outer: frame.place })
  })
}

const holdsDependentRequired = (given: Json, frame: Frame, value: JsonObject): boolean =>
  all(
    frame,
    innerMap(given),
    ([name, wanted]) =>
      !Object.hasOwn(value, name) || requires(frame, value, wanted, ` when \`${cut(name, 60)}\` is given`),
  )

const holdsDependentSchemas = (given: Json, frame: Frame, value: JsonObject): boolean =>
  all(
    frame,
    innerMap(given),
    ([name, declared]) => !Object.hasOwn(value, name) || frame.run.fits(asSchema(declared), value, frame),
  )

/**
 * Draft 7 has one keyword for both, and its form says which is meant. Later drafts split it, but the old name still
 * works.
 */
const holdsDependencies = (given: Json, frame: Frame, value: JsonObject): boolean =>
  all(frame, innerMap(given), ([name, declared]) =>
    Array.isArray(declared)
      ? holdsDependentRequired({ [name]: declared }, frame, value)
      : holdsDependentSchemas({ [name]: declared }, frame, value),
  )

const holdsNames = (given: Json, frame: Frame, value: JsonObject): boolean =>
  all(frame, Object.keys(value), (name) =>
    frame.run.fits(asSchema(given), name, { ...frame, place: { key: name, outer: frame.place }, seen: undefined }),
  )

function size(fine: (count: number, limit: number) => boolean, words: string): Keyword {
  return {
    shape: countShape,
    holds: onObjects((given, frame, value) => {
      const members = Object.keys(value).length
      if (!isNumber(given) || fine(members, Number(given))) return true
      return problem(
        frame,
        () => `must have ${words} ${shown(given)} member${given === 1 ? '' : 's'}; you sent ${members}`,
      )
    }),
  }
}

/** The inner schemas of `dependencies`. Its lists of names contain none. */
const innerDependencies = (given: Json): [string, Json][] =>
  innerMap(given).filter(([, inner]) => !Array.isArray(inner))

const shared: [string, Keyword][] = [
  ['properties', { shape: schemaMapShape, inner: innerMap, holds: onObjects(holdsProperties) }],
  ['patternProperties', { shape: schemaMapShape, inner: innerMap, holds: onObjects(holdsPatterns) }],
  ['additionalProperties', { shape: schemaShape, inner: innerOne, holds: onObjects(holdsAdditional) }],
  ['propertyNames', { shape: schemaShape, inner: innerOne, holds: onObjects(holdsNames) }],
  ['required', { shape: namesShape, holds: onObjects((given, frame, value) => requires(frame, value, given)) }],
  ['minProperties', size((members, limit) => members >= limit, 'at least')],
  ['maxProperties', size((members, limit) => members <= limit, 'at most')],
  [
    'dependencies',
    { shape: schemaOrNamesMapShape, inner: innerDependencies, inPlace: true, holds: onObjects(holdsDependencies) },
  ],
]

export const objectKeywords2020: [string, Keyword][] = [
  ...shared,
  ['dependentRequired', { shape: namesMapShape, holds: onObjects(holdsDependentRequired) }],
  [
    'dependentSchemas',
    { shape: schemaMapShape, inner: innerMap, inPlace: true, holds: onObjects(holdsDependentSchemas) },
  ],
  ['unevaluatedProperties', { shape: schemaShape, inner: innerOne, last: true, holds: onObjects(holdsUnevaluated) }],
]

export const objectKeywords7 = shared
