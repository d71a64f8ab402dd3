// Calls of a tenant's tools: the one port that they leave through, and what comes back.

export { jsonIn, readAnswer } from './answers.ts'
export { attemptOf } from './attempt.ts'
export {
  type Calls,
  onBehalfOf,
  openCalls,
  type ReadInput,
  type ReadResult,
  type UnsentCall,
} from './calls.ts'
export { type Destination, isSameBase, shownBase } from './destination.ts'
export { REDACTED, type Redact, redactorOf } from './direct/redact.ts'
export { callDuties } from './duties.ts'
export { readEndpoint, setEndpoint, testEndpoint } from './endpoint.ts'
export { faultOfRequest, type RequestPreview } from './imported-request.ts'
export { type EndpointClaim, listClaims } from './list-claims.ts'
export { type Checked, type ReadCheckInput, runReadCheck } from './read-check.ts'
export { type NotUsed, refuseUse } from './refuse-use.ts'
export { callRoutes } from './routes.ts'
export {
  type ApiOf,
  type ImportedApi,
  type OnBehalf,
  type Progress,
  type Proxied,
  resultOverHttp,
  type SendResult,
  type ToolCall,
  type Transport,
} from './transport.ts'
export type { WriteResult } from './write-result.ts'
