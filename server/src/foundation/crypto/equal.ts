import { timingSafeEqual } from 'node:crypto'
import { sha256 } from './digest.ts'

// `timingSafeEqual` throws on unequal lengths, so digests are compared: always 32 bytes, and neither the length nor the
// first difference of what is secret shows in the time.

export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean => timingSafeEqual(sha256(left), sha256(right))

/** Both must be digests of one kind, so that their length says nothing. */
export const equalDigests = (left: Uint8Array, right: Uint8Array): boolean => timingSafeEqual(left, right)
