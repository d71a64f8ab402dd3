// Finds out who is asking, decides what each kind of key reaches, and keeps the keys themselves.
export { type AskingRows, askedBy, askingRows } from './asked-by.ts'
export { addressBucket } from './client-address.ts'
export {
  type ConsoleSession,
  closeConsole,
  findConsole,
  newConsoleToken,
  openConsoleByKey,
} from './console-sessions.ts'
export { accessDuties } from './duties.ts'
export { endpointsOf, unmatchedAnswer } from './endpoints.ts'
export { businessAsking, deploymentAsking, type Gate, openGate, personAsking } from './gate.ts'
export { openIdentify } from './identify.ts'
export {
  type Asker,
  askerOf,
  changingKeys,
  findKey,
  findWidgetKey,
  issueKey,
  issuing,
  keyLives,
  listKeys,
  mintKey,
  noTenant,
  ownsPublishableKey,
  revokeAnyKey,
  revokeKey,
  rotateKey,
  type WidgetKey,
  widgetKey,
  withFreshKey,
} from './keys.ts'
export { openLastUsed } from './last-used.ts'
export { kindAsked, presentKey } from './present.ts'
export { grantProvider, issueInboxKey, listInboxKeys, revokeInboxKey, withdrawProvider } from './provider-keys.ts'
export { lockBusiness, lockProvider, notABusiness, providerOf, requireBusiness } from './providers.ts'
export { sealedKeys } from './queries.ts'
export { readSource } from './repository-source.ts'
export { requestLog } from './request-log.ts'
export {
  ACTING,
  ANYONE,
  type CiTerms,
  headersReadBy,
  isOwnDoor,
  kindsReaching,
  OPERATOR,
  PROVIDER,
  type Reach,
  type Route,
  route,
  SECRET_AND_CI,
  SECRET_ONLY,
} from './route.ts'
export { countingSessions, countingSigned, type ProveSigned } from './session-limit.ts'
export {
  closeSession,
  findSession,
  type LiveSession,
  newSessionToken,
  sessionLives,
  withLentSession,
} from './sessions.ts'
export { provenCustomer } from './travelling.ts'
