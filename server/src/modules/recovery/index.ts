// After a database that lost its last transactions: which writes did the businesses perform that nothing here knows of?
export { ClaimsUnreadable, readClaims } from './claims-file.ts'
export type { Finding } from './compare.ts'
export { type Found, openRecovery, type Recovered, type Recovery } from './recover.ts'
