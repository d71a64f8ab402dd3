import { randomFillSync } from 'node:crypto'

/** Returns `size` random bytes. A test may pass its own; a cipher's nonces never come from here. */
export type Random = (size: number) => Uint8Array

// The system takes as long for 4 KiB as for 24 bytes, and every request needs an id.
const POOL = 4096
let pool = Buffer.alloc(0)
let used = 0

export const systemRandom: Random = (size) => {
  if (size > POOL / 4) return randomFillSync(Buffer.alloc(size))
  if (used + size > pool.length) {
    // A new pool each time, so that bytes already handed out are never overwritten.
    pool = randomFillSync(Buffer.alloc(POOL))
    used = 0
  }
  used += size
  return pool.subarray(used - size, used)
}
