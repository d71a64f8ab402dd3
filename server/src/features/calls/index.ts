// The signed request that reaches a tenant's endpoint, and what its answer means.
export { type Calls, type ExecuteInput, onBehalfOf, openCalls, type ReadInput, type ReadResult } from './calls.ts'
export type { StageWrite } from './direct-call.ts'
export { callRoutes } from './routes.ts'
export type { OnBehalf } from './transport.ts'
export type { FailureCode, WriteResult } from './write-result.ts'
