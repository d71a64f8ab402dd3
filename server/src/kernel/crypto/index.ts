export { decodeBase64, decodeBase64url } from './decode.ts'
export { equalBytes, equalDigests, hmacSha256, saltedHash, sha256, sha256Hex, type TextOrBytes } from './digest.ts'
export { foldAddress, foldForCounting } from './fold-address.ts'
export { type Hs256, readCompact, type Unproven, verifyHs256 } from './hs256.ts'
export { type Keyring, openKeyring, type Place, type SecretFault, SecretUnreadable } from './keyring.ts'
export { type Link, type OpenedLink, openLink, sealLink } from './links.ts'
export { type Random, systemRandom } from './random.ts'
export {
  newSigningSecret,
  type SignableRequest,
  type SignatureHeaders,
  type SigningKey,
  signingKey,
  signRequest,
} from './signing.ts'
export { readJsonObject } from './strict-json.ts'
