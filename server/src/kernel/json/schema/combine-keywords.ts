import { spend, type WorkBudget } from '../budget.ts'
import { jsonEqual } from '../equal.ts'
import { isObject, type Json, kindOf, member } from '../json-value.ts'
import { asSchema, innerList, innerOne } from './inner.ts'
import type { Frame, From, Keyword } from './model.ts'
import { listed, problem } from './report.ts'
import { schemaListShape, schemaShape, stringShape } from './shapes.ts'
import { isOfType } from './value-keywords.ts'

/** The same position without a report. Copying the frame costs work, too. */
function quietly(frame: Frame): From {
  spend(frame.run.budget, 32)
  return { ...frame, run: { ...frame.run, report: undefined } }
}

function holdsAllOf(given: Json, frame: Frame): boolean {
  let fine = true
  for (const [, branch] of innerList(given)) {
    if (frame.run.fits(asSchema(branch), frame.value, frame)) continue
    fine = false
    if (!frame.run.report) return false
  }
  return fine
}

function holdsAnyOf(given: Json, frame: Frame): boolean {
  let fits = false
  for (const [, branch] of innerList(given)) {
    if (!frame.run.fits(asSchema(branch), frame.value, quietly(frame))) continue
    fits = true
    // The other branches may still see members that an unevaluated… keyword asks about.
    if (!frame.seen) return true
  }
  return fits || noBranch(given, frame)
}

function holdsOneOf(given: Json, frame: Frame): boolean {
  const fitting = innerList(given).filter(([, branch]) => frame.run.fits(asSchema(branch), frame.value, quietly(frame)))
  if (fitting.length === 1) return true
  if (fitting.length === 0) return noBranch(given, frame)
  return problem(
    frame,
    () =>
      `must fit exactly one of the allowed forms; it fits forms ${listed(fitting.map(([index]) => String(Number(index) + 1)))}`,
  )
}

/** If only one branch can have been meant, its own problems say more than "fits none". */
function noBranch(given: Json, frame: Frame): false {
  const meant = innerList(given).filter(([, branch]) => isMeant(branch, frame))
  const [only] = meant
  if (frame.run.report && meant.length === 1 && only) {
    frame.run.fits(asSchema(only[1]), frame.value, { ...frame, seen: undefined })
  } else {
    problem(frame, () => `fits none of the ${innerList(given).length} allowed forms${typesOf(given)}`)
  }
  return false
}

/** True if a branch has the value's type and, for an object, agrees with its constant members. */
function isMeant(branch: Json, { value, run }: Frame): boolean {
  spend(run.budget, 32)
  if (!isObject(branch)) return branch === true
  const { type = kindOf(value) ?? 'null', properties } = branch
  const wanted = Array.isArray(type) ? type : [type]
  if (!wanted.some((name) => isOfType(value, name))) return false
  if (!isObject(value) || !isObject(properties)) return true
  return Object.entries(properties).every(([name, inner]) => agrees(inner, member(value, name), run.budget))
}

function agrees(inner: Json, sent: Json | undefined, budget: WorkBudget): boolean {
  spend(budget, 8)
  const constant = isObject(inner) ? member(inner, 'const') : undefined
  return sent === undefined || constant === undefined || jsonEqual(constant, sent, budget)
}

function typesOf(given: Json): string {
  const types = innerList(given).map(([, branch]) =>
    isObject(branch) && typeof branch.type === 'string' ? branch.type : undefined,
  )
  return types.includes(undefined) ? '' : ` (${listed([...new Set(types.filter((type) => type !== undefined))])})`
}

const holdsNot = (given: Json, frame: Frame): boolean =>
  !frame.run.fits(asSchema(given), frame.value, { ...quietly(frame), seen: undefined }) ||
  problem(frame, () => 'has a form that is not allowed here')

function holdsIf(given: Json, frame: Frame): boolean {
  const branch = frame.run.fits(asSchema(given), frame.value, quietly(frame)) ? 'then' : 'else'
  const chosen = member(frame.site.schema, branch)
  return chosen === undefined || frame.run.fits(asSchema(chosen), frame.value, frame)
}

function holdsRef(_given: Json, frame: Frame): boolean {
  return frame.site.ref === undefined || frame.run.fits(frame.site.ref, frame.value, frame)
}

/** Uses the outermost resource on the way here that has the anchor, so that a schema can be extended from outside. */
function holdsDynamicRef(_given: Json, frame: Frame): boolean {
  const { dynamicRef } = frame.site
  if (!dynamicRef) return true
  let { target } = dynamicRef
  if (dynamicRef.anchor !== undefined) {
    for (let scope: Frame['scope'] | undefined = frame.scope; scope; scope = scope.outer) {
      target = scope.resource.dynamicAnchors.get(dynamicRef.anchor) ?? target
    }
  }
  return frame.run.fits(target, frame.value, frame)
}

export const combineKeywords: [string, Keyword][] = [
  ['$ref', { shape: stringShape, holds: holdsRef }],
  ['allOf', { shape: schemaListShape, inner: innerList, inPlace: true, holds: holdsAllOf }],
  ['anyOf', { shape: schemaListShape, inner: innerList, inPlace: true, holds: holdsAnyOf }],
  ['oneOf', { shape: schemaListShape, inner: innerList, inPlace: true, holds: holdsOneOf }],
  ['not', { shape: schemaShape, inner: innerOne, inPlace: true, holds: holdsNot }],
  ['if', { shape: schemaShape, inner: innerOne, inPlace: true, holds: holdsIf }],
  ['then', { shape: schemaShape, inner: innerOne, inPlace: true }],
  ['else', { shape: schemaShape, inner: innerOne, inPlace: true }],
]

export const dynamicKeywords: [string, Keyword][] = [['$dynamicRef', { shape: stringShape, holds: holdsDynamicRef }]]
