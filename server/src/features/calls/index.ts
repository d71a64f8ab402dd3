// The signed request that reaches a tenant's endpoint, and what its answer means.
export { type Calls, openCalls, type ReadInput, type ReadOutcome } from './calls.ts'
export type { StageWrite } from './direct-call.ts'
export { callRoutes } from './routes.ts'
