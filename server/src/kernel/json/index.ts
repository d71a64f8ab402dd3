export { BudgetSpent, spend, type WorkBudget } from './budget.ts'
export { canonicalText, jsonEqual } from './equal.ts'
export { compareNumbers, isInteger, isMultipleOf, isNumber, type JsonNumber } from './exact-number.ts'
export { itemsOf } from './items.ts'
export { isObject, type Json, type JsonObject, kindOf, member, present, setMember } from './json-value.ts'
export { type Measured, measureJson } from './measure.ts'
export { JsonFault, type JsonFaultReason, parseJson, parseJsonBytes } from './parse.ts'
export { checkPattern, patternMatches } from './pattern/index.ts'
export {
  fitsSchema,
  type Prepared,
  type PrepareResult,
  type Problem,
  prepareInTurns,
  prepareSchema,
} from './schema/index.ts'
export { cut, listed, listedValues, shown, shownWhole } from './schema/report.ts'
export { parseSentJson, requireStorable, storableJsonText, storableTexts } from './storable.ts'
export { atOnce, inTurns, turnOf, type Work } from './turns.ts'
export { type RawJson, rawJson, stringifyJson, type Writable } from './write.ts'
