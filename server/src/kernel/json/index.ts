export { BudgetSpent, spend, type WorkBudget } from './budget.ts'
export { canonicalText, jsonEqual } from './equal.ts'
export {
  canonicalNumber,
  compareNumbers,
  isInteger,
  isMultipleOf,
  isNumber,
  type JsonNumber,
} from './exact-number.ts'
export { itemsOf } from './items.ts'
export {
  isObject,
  type Json,
  type JsonKind,
  type JsonObject,
  kindOf,
  member,
  present,
  setMember,
} from './json-value.ts'
export { type Measured, measureJson } from './measure.ts'
export {
  defaultJsonLimits,
  JsonFault,
  type JsonFaultReason,
  type JsonLimits,
  parseJson,
  parseJsonBytes,
} from './parse.ts'
export { checkPattern, patternMatches } from './pattern/index.ts'
export type { ExactNumber } from './raw-json.ts'
export {
  type FitResult,
  fitsSchema,
  type Prepared,
  type PrepareResult,
  type Problem,
  prepareInTurns,
  prepareSchema,
  type Schema,
} from './schema/index.ts'
export { cut, listed, listedValues, shown, shownWhole } from './schema/report.ts'
export { parseSentJson, requireStorable, storableJsonText, storableTexts } from './storable.ts'
export { atOnce, inTurns, turnOf, type Work } from './turns.ts'
export { type RawJson, rawJson, stringifyJson, type Writable } from './write.ts'
