/**
 * Collects a body into one buffer that grows by doubling. A list of the chunks would cost a hundred bytes and more for each, and the
 * peer chooses how small they are.
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
    // Copied, because the chunk is a window into the socket's read buffer and would keep all of it alive.
    chunk.copy(this.#buffer, this.#length)
    this.#length = length
  }

  take(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}
