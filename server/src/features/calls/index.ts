// Calls of a tenant's tools: the one port that they leave through, and what comes back.

export type { MayBeNotFound } from './attempt.ts'
export {
  type Calls,
  type ExecuteInput,
  onBehalfOf,
  openCalls,
  type ReadInput,
  type ReadResult,
  type UnsentCall,
} from './calls.ts'
export { type RequestPreview, requestPreview } from './request-preview.ts'
export { callRoutes } from './routes.ts'
export type { OnBehalf } from './transport.ts'
export type { FailureCode, WriteResult } from './write-result.ts'
