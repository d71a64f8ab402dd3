import { randomBytes } from 'node:crypto'

/** So many random bytes. A test may hand in its own; the nonces of a cipher never come from here. */
export type Random = (size: number) => Uint8Array

export const systemRandom: Random = (size) => randomBytes(size)
