import { spend } from '../budget.ts'
import { canonicalText } from '../equal.ts'
import { isNumber } from '../exact-number.ts'
import { type Json, member } from '../json-value.ts'
import { asSchema, innerList, innerOne } from './inner.ts'
import type { Frame, Keyword } from './model.ts'
import { problem, shown } from './report.ts'
import { unseenItems } from './seen.ts'
import { booleanShape, countShape, schemaListShape, schemaOrListShape, schemaShape } from './shapes.ts'

/** Checks one item against one schema. */
const itemFits = (frame: Frame, schemaOfItem: Json | undefined, item: Json, index: number): boolean =>
  frame.run.fits(asSchema(schemaOfItem), item, { ...frame, place: { key: index, outer: frame.place }, seen: undefined })

/** Checks the items from `start` on against one schema, and marks them as seen. */
function restFits(frame: Frame, value: Json[], start: number, schemaOfItem: Json): boolean {
  let fine = true
  for (let index = start; index < value.length; index++) {
    if (itemFits(frame, schemaOfItem, value[index] ?? null, index)) continue
    fine = false
    if (!frame.run.report) return false
  }
  if (frame.seen) frame.seen.firstItems = value.length
  return fine
}

/** Checks each item against the schema at its own index. */
function firstFit(frame: Frame, value: Json[], schemasOfItems: Json[]): boolean {
  const covered = Math.min(value.length, schemasOfItems.length)
  let fine = true
  for (let index = 0; index < covered; index++) {
    if (itemFits(frame, schemasOfItems[index], value[index] ?? null, index)) continue
    fine = false
    if (!frame.run.report) return false
  }
  if (frame.seen) frame.seen.firstItems = Math.max(frame.seen.firstItems, covered)
  return fine
}

const onLists =
  (holds: (given: Json, frame: Frame, value: Json[]) => boolean): NonNullable<Keyword['holds']> =>
  (given, frame) => {
    if (!Array.isArray(frame.value)) return true
    spend(frame.run.budget, frame.value.length / 2)
    return holds(given, frame, frame.value)
  }

const prefixLength = (frame: Frame, name: string): number => {
  const prefix = member(frame.site.schema, name)
  return Array.isArray(prefix) ? prefix.length : 0
}

function holdsContains(given: Json, frame: Frame, value: Json[]): boolean {
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = frame.site.schema
  const quiet: Frame = { ...frame, run: { ...frame.run, report: undefined } }
  let found = 0
  for (const [index, item] of value.entries()) {
    if (!itemFits(quiet, given, item, index)) continue
    found++
    frame.seen?.items.add(index)
  }
  if (found < Number(minContains))
    return problem(
      frame,
      () => `must contain at least ${shown(minContains)} item of the required form; it has ${found}`,
    )
  if (found > Number(maxContains))
    return problem(frame, () => `must contain at most ${shown(maxContains)} items of the given form; it has ${found}`)
  return true
}

/** Draft 7 has neither bound. */
const holdsContainsOnly = (given: Json, frame: Frame, value: Json[]): boolean => {
  const quiet: Frame = { ...frame, run: { ...frame.run, report: undefined } }
  return (
    value.some((item, index) => itemFits(quiet, given, item, index)) ||
    problem(frame, () => 'must contain an item of the required form')
  )
}

function holdsUnique(given: Json, frame: Frame, value: Json[]): boolean {
  if (given !== true) return true
  const first = new Map<string, number>()
  for (const [index, item] of value.entries()) {
    const text = canonicalText(item, frame.run.budget)
    const before = first.get(text)
    if (before !== undefined)
      return problem(frame, () => `must not repeat an item; items ${before} and ${index} are equal`)
    first.set(text, index)
  }
  return true
}

function holdsUnevaluated(given: Json, frame: Frame, value: Json[]): boolean {
  const { seen } = frame
  if (!seen) return true
  const fine = unseenItems(seen, value).map((index) => itemFits(frame, given, value[index] ?? null, index))
  seen.firstItems = value.length
  return fine.every(Boolean)
}

function size(fine: (length: number, limit: number) => boolean, words: string): Keyword {
  return {
    shape: countShape,
    holds: onLists((given, frame, value) => {
      if (!isNumber(given) || fine(value.length, Number(given))) return true
      return problem(
        frame,
        () => `must have ${words} ${shown(given)} item${given === 1 ? '' : 's'}; you sent ${value.length}`,
      )
    }),
  }
}

const shared: [string, Keyword][] = [
  ['minItems', size((length, limit) => length >= limit, 'at least')],
  ['maxItems', size((length, limit) => length <= limit, 'at most')],
  ['uniqueItems', { shape: booleanShape, holds: onLists(holdsUnique) }],
]

export const arrayKeywords2020: [string, Keyword][] = [
  ...shared,
  [
    'prefixItems',
    {
      shape: schemaListShape,
      inner: innerList,
      holds: onLists((given, frame, value) => firstFit(frame, value, Array.isArray(given) ? given : [])),
    },
  ],
  [
    'items',
    {
      shape: schemaShape,
      inner: innerOne,
      holds: onLists((given, frame, value) => restFits(frame, value, prefixLength(frame, 'prefixItems'), given)),
    },
  ],
  ['contains', { shape: schemaShape, inner: innerOne, holds: onLists(holdsContains) }],
  ['minContains', { shape: countShape }],
  ['maxContains', { shape: countShape }],
  ['unevaluatedItems', { shape: schemaShape, inner: innerOne, last: true, holds: onLists(holdsUnevaluated) }],
]

export const arrayKeywords7: [string, Keyword][] = [
  ...shared,
  [
    'items',
    {
      shape: schemaOrListShape,
      inner: (given) => (Array.isArray(given) ? innerList(given) : innerOne(given)),
      holds: onLists((given, frame, value) =>
        Array.isArray(given) ? firstFit(frame, value, given) : restFits(frame, value, 0, given),
      ),
    },
  ],
  [
    'additionalItems',
    {
      shape: schemaShape,
      inner: innerOne,
      holds: onLists(
        (given, frame, value) =>
          !Array.isArray(frame.site.schema.items) || restFits(frame, value, prefixLength(frame, 'items'), given),
      ),
    },
  ],
  ['contains', { shape: schemaShape, inner: innerOne, holds: onLists(holdsContainsOnly) }],
]
