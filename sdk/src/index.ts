export type { Call, EventName, TetherEvent } from './call.ts'
export type { ArgumentsOf, FromSchema, ToolSpec } from './catalog.ts'
export {
  type Claimed,
  type ClaimedWrite,
  type ClaimListing,
  type Claims,
  type ClaimTerms,
  type ListedClaim,
  NothingApplied,
} from './claims.ts'
export { type Client, client } from './client.ts'
export type { Conversation, Opening } from './conversation.ts'
export type { Confirming, Deciding, Decision } from './decide.ts'
export type { Doors, FastifyScope, NodeRequest, NodeResponse } from './doors.ts'
export type { ReceivedHeaders } from './headers.ts'
export type { ClientOptions } from './line.ts'
export { memoryClaims } from './memory-claims.ts'
export { type CustomerTokenRequest, mintCustomerToken } from './mint-customer-token.ts'
export type { ErrorCode, FrameCode, Operations, Schemas } from './operations.ts'
export type { ItemOf, Listing } from './pages.ts'
export { type PostgresClaims, type PostgresClient, type PostgresPool, postgresClaims } from './postgres-claims.ts'
export { type RawRequest, type Receiver, type ReceiverOptions, receiver } from './receiver.ts'
export { type RedisClaimsOptions, type RedisClient, redisClaims } from './redis-claims.ts'
export { notFound, type Refusal, type Reply, refused, type TryLater, tryLater } from './reply.ts'
export type { AnswerOf, Operation, RequestOf } from './request.ts'
export { type SqliteDatabase, sqliteClaims } from './sqlite-claims.ts'
export type { Staged, Staging } from './stage.ts'
export type { Frame, Question, Talking, WatchFrame } from './stream.ts'
export type { EventTools } from './take-event.ts'
export { TetherError, type TetherErrorCode } from './tether-error.ts'
export { notApplied, type ReadTool, type WriteTool } from './tools.ts'
export { type SignatureCheck, type SignatureFault, type SignatureResult, verifySignature } from './verify-signature.ts'
