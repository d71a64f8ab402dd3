export { type FitResult, fitsSchema } from './evaluate.ts'
export type { Prepared, Problem, Schema } from './model.ts'
export { type PrepareResult, prepareInTurns, prepareSchema } from './prepare.ts'
