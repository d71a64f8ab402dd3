import { spend } from '../budget.ts'
import { jsonEqual } from '../equal.ts'
import { compareNumbers, isInteger, isMultipleOf, isNumber, type JsonNumber } from '../exact-number.ts'
import { type Json, kindOf, member } from '../json-value.ts'
import { patternMatches } from '../pattern/index.ts'
import type { Frame, Keyword } from './model.ts'
import { cut, listedValues, problem, shown, shownWhole } from './report.ts'
import { anyShape, countShape, listShape, numberShape, positiveShape, stringShape, typesShape } from './shapes.ts'

const typeWords: Record<string, string> = {
  null: 'null',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  number: 'a number',
  string: 'a string',
  integer: 'an integer',
}

export function isOfType(value: Json, type: Json): boolean {
  return type === 'integer' ? isNumber(value) && isInteger(value) : kindOf(value) === type
}

function holdsType(given: Json, frame: Frame): boolean {
  const wanted = Array.isArray(given) ? given : [given]
  if (wanted.some((type) => isOfType(frame.value, type))) return true
  return problem(
    frame,
    () =>
      `must be ${wanted.map((type) => member(typeWords, String(type)) ?? String(type)).join(' or ')}; you sent ${shown(frame.value)}`,
  )
}

function holdsEnum(given: Json, frame: Frame): boolean {
  if (!Array.isArray(given) || given.some((allowed) => jsonEqual(allowed, frame.value, frame.run.budget))) return true
  return problem(frame, () => `must be one of ${listedValues(given, 20)}; you sent ${shown(frame.value)}`)
}

function holdsConst(given: Json, frame: Frame): boolean {
  if (jsonEqual(given, frame.value, frame.run.budget)) return true
  return problem(frame, () => `must be ${shownWhole(given)}; you sent ${shown(frame.value)}`)
}

/** A keyword that compares a value with a number, if it is a number. */
function bound(fine: (order: number) => boolean, words: string): Keyword {
  return { shape: numberShape, holds: (given, frame) => holdsBound(given, frame, fine, words) }
}

function holdsBound(given: Json, frame: Frame, fine: (order: number) => boolean, words: string): boolean {
  if (!isNumber(frame.value) || !isNumber(given)) return true
  spend(frame.run.budget, workOf(frame.value) + workOf(given))
  if (fine(compareNumbers(frame.value, given))) return true
  return problem(frame, () => `must be ${words} ${shown(given)}; you sent ${shown(frame.value)}`)
}

const workOf = (value: JsonNumber): number => (typeof value === 'number' ? 1 : 32 + value.rawJSON.length)

function holdsMultipleOf(given: Json, frame: Frame): boolean {
  if (!isNumber(frame.value) || !isNumber(given)) return true
  spend(frame.run.budget, 256 + workOf(frame.value) * workOf(given) * 64)
  if (isMultipleOf(frame.value, given)) return true
  return problem(frame, () => `must be a multiple of ${shown(given)}; you sent ${shown(frame.value)}`)
}

/** A keyword that counts a value's characters, if it is a string. */
function length(fine: (length: number, limit: number) => boolean, words: string): Keyword {
  return {
    shape: countShape,
    holds: (given, frame) => {
      if (typeof frame.value !== 'string' || !isNumber(given)) return true
      spend(frame.run.budget, frame.value.length / 4)
      const characters = charactersIn(frame.value)
      if (fine(characters, Number(given))) return true
      return problem(
        frame,
        () => `must have ${words} ${shown(given)} character${given === 1 ? '' : 's'}; you sent ${characters}`,
      )
    },
  }
}

function charactersIn(given: string): number {
  let pairs = 0
  for (let at = 0; at < given.length; at++) {
    if ((given.codePointAt(at) ?? 0) > 0xffff) {
      pairs++
      at++
    }
  }
  return given.length - pairs
}

function holdsPattern(given: Json, frame: Frame): boolean {
  if (
    typeof frame.value !== 'string' ||
    typeof given !== 'string' ||
    patternMatches(given, frame.value, frame.run.budget)
  )
    return true
  return problem(frame, () => `must match the pattern ${cut(given, 100)}; you sent ${shown(frame.value)}`)
}

export const valueKeywords: [string, Keyword][] = [
  ['type', { shape: typesShape, first: true, holds: holdsType }],
  ['enum', { shape: listShape, holds: holdsEnum }],
  ['const', { shape: anyShape, holds: holdsConst }],
  ['minimum', bound((order) => order >= 0, 'at least')],
  ['maximum', bound((order) => order <= 0, 'at most')],
  ['exclusiveMinimum', bound((order) => order > 0, 'more than')],
  ['exclusiveMaximum', bound((order) => order < 0, 'less than')],
  ['multipleOf', { shape: positiveShape, holds: holdsMultipleOf }],
  ['minLength', length((characters, limit) => characters >= limit, 'at least')],
  ['maxLength', length((characters, limit) => characters <= limit, 'at most')],
  ['pattern', { shape: stringShape, holds: holdsPattern }],
]
