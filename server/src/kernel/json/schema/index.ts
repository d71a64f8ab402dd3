export { type FitResult, fitsSchema } from './evaluate.ts'
export type { Prepared, Problem, Schema, Site } from './model.ts'
export { type PrepareResult, prepareInTurns, prepareSchema } from './prepare.ts'
