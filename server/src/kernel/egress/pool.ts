import { Connection, type ConnectionOptions } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { closingFault, type EgressFault } from './fault.ts'
import type { Target } from './url.ts'

export type PoolLimits = {
  /** The most sockets of one share to one origin at a time. Further calls wait in line. */
  readonly connections: number
  /** How long an unused connection stays open. */
  readonly idleMs: number
  /** How long a connection takes new requests, and so how long we trust a checked address. */
  readonly ageMs: number
  /** The longest time for TCP and TLS together. */
  readonly connectMs: number
  /** The largest header of an answer. */
  readonly headerBytes: number
  /** The most pools to keep, of all shares and origins together, unless more are busy. */
  readonly pools: number
}

export const defaultLimits: PoolLimits = {
  connections: 32,
  idleMs: 10_000,
  ageMs: 60_000,
  connectMs: 5000,
  headerBytes: 16_384,
  pools: 512,
}

type Waiter = { readonly give: (connection: Connection) => void; readonly fail: (fault: EgressFault) => void }

export type PoolOptions = {
  readonly target: Target
  readonly limits: PoolLimits
  readonly connection: ConnectionOptions
  readonly onEmpty: () => void
}

/** The connections of one share to one origin. */
export class Pool {
  readonly #options: PoolOptions
  readonly #idle: Connection[] = []
  readonly #busy = new Set<Connection>()
  // A set keeps its order, and a waiter whose time is up can leave it without a search.
  readonly #waiting = new Set<Waiter>()
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get origin(): string {
    return this.#options.target.origin
  }

  get isResting(): boolean {
    return this.#busy.size === 0 && this.#waiting.size === 0
  }

  get size(): number {
    return this.#busy.size + this.#idle.length
  }

  /**
   * Returns a connection for one request, or null if the caller has to wait. It does not reuse one idle for longer than
   * `maxIdleMs`.
   */
  take(maxIdleMs: number): Connection | null {
    const rested = this.#takeIdle(maxIdleMs)
    if (rested !== null) return rested
    if (this.size >= this.#options.limits.connections) {
      // The pool is full, and its idle connections are too old for this call, so one makes room.
      const oldest = this.#idle.shift()
      if (oldest === undefined) return null
      oldest.destroy()
    }
    const connection = new Connection(this.#options.target, this.#options.connection, (each) => this.#onClosed(each))
    this.#busy.add(connection)
    return connection
  }

  wait(deadline: Deadline): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        give: (connection) => {
          deadline.unwatch()
          resolve(connection)
        },
        fail: reject,
      }
      this.#waiting.add(waiter)
      deadline.watch((fault) => {
        this.#waiting.delete(waiter)
        reject(fault)
      })
    })
  }

  /** Takes a connection back once its answer has been read to the end. */
  give(connection: Connection): void {
    connection.idleSince = performance.now()
    if (this.#closed || !connection.isOpen || this.#isOld(connection)) {
      this.drop(connection)
      return
    }
    const next = this.#nextWaiter()
    if (next !== null) {
      next.give(connection)
      return
    }
    this.#busy.delete(connection)
    this.#idle.push(connection)
  }

  /** Ends a connection whose state is unknown. */
  drop(connection: Connection): void {
    this.#busy.delete(connection)
    connection.destroy()
    if (this.#waiting.size > 0) {
      const fresh = this.take(0)
      if (fresh !== null) this.#nextWaiter()?.give(fresh)
    }
    this.#tellEmpty()
  }

  /** Takes no new calls; running ones may finish. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiting) waiter.fail(closingFault())
    this.#waiting.clear()
    for (const connection of this.#idle.splice(0)) connection.destroy()
    this.#tellEmpty()
  }

  destroy(): void {
    this.close()
    for (const connection of this.#busy) connection.destroy()
  }

  #takeIdle(maxIdleMs: number): Connection | null {
    const now = performance.now()
    for (;;) {
      // We reuse the newest first, so that a quiet pool shrinks.
      const connection = this.#idle.at(-1)
      if (connection === undefined || now - connection.idleSince > maxIdleMs) return null
      this.#idle.pop()
      if (!connection.isOpen || this.#isOld(connection)) {
        connection.destroy()
        continue
      }
      this.#busy.add(connection)
      return connection
    }
  }

  #isOld(connection: Connection): boolean {
    return performance.now() - connection.openedAt > this.#options.limits.ageMs
  }

  #nextWaiter(): Waiter | null {
    for (const waiter of this.#waiting) {
      this.#waiting.delete(waiter)
      return waiter
    }
    return null
  }

  #onClosed(connection: Connection): void {
    const index = this.#idle.indexOf(connection)
    if (index === -1) return
    this.#idle.splice(index, 1)
    connection.destroy()
    this.#tellEmpty()
  }

  #tellEmpty(): void {
    if (this.size === 0 && this.#waiting.size === 0) this.#options.onEmpty()
  }
}
