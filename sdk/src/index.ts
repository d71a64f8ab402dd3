export type { ReceivedHeaders } from './headers.ts'
export { type CustomerTokenRequest, mintCustomerToken } from './mint-customer-token.ts'
export { type SignatureCheck, type SignatureFault, type SignatureResult, verifySignature } from './verify-signature.ts'
