import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

// AES-256-GCM with a random nonce allows 2^32 boxes per key (NIST SP 800-38D), far more than a settings key will ever
// seal. We pass `authTagLength` because Node accepts a shortened tag without it.

const cipher = 'aes-256-gcm'
const tagLength = 16
const options = { authTagLength: tagLength }

export const nonceLength = 12

/** `box` is the ciphertext followed by the tag. */
export function sealBox(key: KeyObject, plaintext: Uint8Array, bound: Uint8Array): { nonce: Buffer; box: Buffer } {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, key, nonce, options).setAAD(bound)
  return { nonce, box: Buffer.concat([sealing.update(plaintext), sealing.final(), sealing.getAuthTag()]) }
}

/** Null if the key, the nonce, the binding or any bit of the box has changed. */
export function openBox(key: KeyObject, nonce: Uint8Array, box: Uint8Array, bound: Uint8Array): Buffer | null {
  if (nonce.length !== nonceLength || box.length < tagLength) return null
  const opening = createDecipheriv(cipher, key, nonce, options).setAAD(bound)
  opening.setAuthTag(box.subarray(box.length - tagLength))
  const unproven = opening.update(box.subarray(0, box.length - tagLength))
  try {
    // `update` returns plaintext before the tag is checked, so nothing leaves this function until `final` accepts it.
    return Buffer.concat([unproven, opening.final()])
  } catch {
    return null
  }
}
