import { Duplex } from 'node:stream'

type Bytes = Uint8Array<ArrayBuffer>

/** What a wire needs from the engine. */
export type EngineSide = {
  submit(wire: Wire, batch: Bytes): void
  forget(wire: Wire): void
}

// The server answers after these messages and reports that it is ready: Query, Sync, CopyDone, CopyFail.
const batchEnds = new Set(['Q', 'S', 'c', 'f'].map((letter) => letter.charCodeAt(0)))
const terminate = 'X'.charCodeAt(0)

/** The driver uses it as its socket. It splits the stream of messages into batches that the engine answers at once. */
export class Wire extends Duplex {
  readonly #exchange: EngineSide
  #unsent: Buffer[] = []
  #greeted = false
  #saidGoodbye = false

  constructor(exchange: EngineSide) {
    super({ allowHalfOpen: false })
    this.#exchange = exchange
  }

  // The driver calls these on a socket.
  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  receive(answer: Uint8Array): void {
    if (!this.destroyed) this.push(answer)
  }

  /** Sends the current statement the reason as a protocol error, then closes the connection. */
  hangUp(sqlState: string, message: string): void {
    if (this.destroyed || this.#saidGoodbye) return
    this.push(errorResponse(sqlState, message))
    this.push(null)
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#take(chunk)
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    for (const { chunk } of chunks) this.#take(chunk)
    done()
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#exchange.forget(this)
    done(error)
  }

  // The driver writes whole messages, one per chunk.
  #take(message: Buffer): void {
    const kind = message[0]
    if (this.#greeted && kind === terminate) {
      this.#saidGoodbye = true
      return
    }
    this.#unsent.push(message)
    if (this.#greeted && (kind === undefined || !batchEnds.has(kind))) return
    this.#greeted = true
    const batch = new Uint8Array(Buffer.concat(this.#unsent))
    this.#unsent = []
    this.#exchange.submit(this, batch)
  }
}

function errorResponse(sqlState: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
