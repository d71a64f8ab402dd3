import { compareNumbers, isNumber, type Json, type JsonObject, member } from '../../kernel/json/index.ts'
import { boundHolds, type Check, type Operator, readPath } from '../../tools/catalog/index.ts'

/** What keeps a check from holding, for whoever says it in words: null where that is no single value. */
export type FallsShort = {
  readonly path: readonly string[]
  /** Undefined where the record has nothing there. */
  readonly found: Json | undefined
  readonly wanted:
    | { readonly as: 'one_of'; readonly values: readonly Json[] }
    | { readonly as: Operator; readonly limit: Json }
}

/** Asked of a check that does not hold. */
export function fallsShort({ path, test }: Check, result: Json, given: JsonObject): FallsShort | null {
  const found = readPath(result, path)
  const oneOf = (values: readonly Json[]): FallsShort => ({ path, found, wanted: { as: 'one_of', values } })
  switch (test.kind) {
    case 'equals':
      return oneOf([test.value])
    case 'in':
      return oneOf(test.values)
    case 'from': {
      const value = member(given, test.argument)
      return value === undefined ? null : oneOf([value])
    }
    case 'compare': {
      const bounds = test.bounds.map(({ operator, to }) => ({
        as: operator,
        limit: isNumber(to) ? to : member(given, to.from),
      }))
      const unmet = bounds.find(
        ({ as, limit }) => !isNumber(found) || !isNumber(limit) || !boundHolds[as](compareNumbers(found, limit)),
      )
      return unmet === undefined || !isNumber(unmet.limit)
        ? null
        : { path, found, wanted: { as: unmet.as, limit: unmet.limit } }
    }
  }
}
