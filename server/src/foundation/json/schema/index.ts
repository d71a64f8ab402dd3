export { type FitResult, fitsSchema } from './evaluate.ts'
export type { Prepared, Schema, Site } from './model.ts'
export { type PrepareResult, prepareSchema } from './prepare.ts'
export type { Problem } from './report.ts'
