import { timingSafeEqual } from 'node:crypto'
import { sha256 } from './digest.ts'

// `timingSafeEqual` throws on unequal lengths, so we compare digests: they always have 32 bytes, and the time taken
// reveals neither the secret's length nor where the first difference is.

export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean => timingSafeEqual(sha256(left), sha256(right))

/** Both must be digests of the same kind, so that their length reveals nothing. */
export const equalDigests = (left: Uint8Array, right: Uint8Array): boolean => timingSafeEqual(left, right)
