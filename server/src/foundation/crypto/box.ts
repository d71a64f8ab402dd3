import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

// AES-256-GCM with a random nonce: at most 2^32 boxes under one key (NIST SP 800-38D), far above what a settings key
// will ever seal. `authTagLength` is given because Node takes a shortened tag without it.

const cipher = 'aes-256-gcm'
const tagLength = 16
const options = { authTagLength: tagLength }

export const nonceLength = 12

/** `box` is the ciphertext and, behind it, the tag. */
export function sealBox(key: KeyObject, plaintext: Uint8Array, bound: Uint8Array): { nonce: Buffer; box: Buffer } {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, key, nonce, options).setAAD(bound)
  return { nonce, box: Buffer.concat([sealing.update(plaintext), sealing.final(), sealing.getAuthTag()]) }
}

/** Null unless key, nonce, every bit of the box and what it was bound to are as they were. */
export function openBox(key: KeyObject, nonce: Uint8Array, box: Uint8Array, bound: Uint8Array): Buffer | null {
  if (nonce.length !== nonceLength || box.length < tagLength) return null
  const opening = createDecipheriv(cipher, key, nonce, options).setAAD(bound)
  opening.setAuthTag(box.subarray(box.length - tagLength))
  const unproven = opening.update(box.subarray(0, box.length - tagLength))
  try {
    // `update` gives plaintext before the tag was looked at: nothing leaves here until `final` has agreed.
    return Buffer.concat([unproven, opening.final()])
  } catch {
    return null
  }
}
