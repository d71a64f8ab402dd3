import { randomFillSync } from 'node:crypto'

/** So many random bytes. A test may hand in its own; the nonces of a cipher never come from here. */
export type Random = (size: number) => Uint8Array

// Asking the system costs as much for 4 KiB as for 24 bytes, and every request takes an id.
const POOL = 4096
let pool = Buffer.alloc(0)
let given = 0

export const systemRandom: Random = (size) => {
  if (size > POOL / 4) return randomFillSync(Buffer.alloc(size))
  if (given + size > pool.length) {
    // A pool of its own each time: what was given out is the taker's and is not written again.
    pool = randomFillSync(Buffer.alloc(POOL))
    given = 0
  }
  given += size
  return pool.subarray(given - size, given)
}
