import { randomBytes } from 'node:crypto'

/** Returns `size` random bytes. A test may pass its own; a cipher's nonces never come from here. */
export type Random = (size: number) => Uint8Array

export const systemRandom: Random = (size) => randomBytes(size)
