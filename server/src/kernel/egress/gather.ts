/**
 * Collects a body in one buffer that grows by doubling. A list of chunks would cost a hundred bytes or more for each,
 * and the peer chooses how small they are.
 */
export class Gather {
  #buffer: Buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, this.#buffer.length * 2))
      this.#buffer.copy(grown, 0, 0, this.#length)
      this.#buffer = grown
    }
    // We copy the chunk because it is a view of the socket's read buffer and would keep all of it in memory.
    chunk.copy(this.#buffer, this.#length)
    this.#length = length
  }

  take(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}
