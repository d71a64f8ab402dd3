export type { ReceivedHeaders } from './headers.js';
export { type CustomerTokenRequest, mintCustomerToken } from './mint-customer-token.js';
export { type SignatureCheck, type SignatureFault, type SignatureResult, verifySignature } from './verify-signature.js';
