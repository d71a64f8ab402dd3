// The signed request that reaches a tenant's endpoint, and what its answer means.
export { type Calls, type ExecuteInput, openCalls, type ReadInput, type ReadOutcome } from './calls.ts'
export type { StageWrite } from './direct-call.ts'
export { type OnBehalf, onBehalfOf } from './envelope.ts'
export type { Executed, FailureCode } from './judge-write.ts'
export { callRoutes } from './routes.ts'
