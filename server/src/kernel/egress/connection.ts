import type { Client } from 'undici'
import { type DialOptions, dial } from './dial.ts'
import type { Target } from './url.ts'

export type ConnectionOptions = DialOptions & {
  readonly Client: typeof Client
  readonly idleMs: number
  readonly headerBytes: number
}

/**
 * One connection to one origin, for one request at a time. undici's client opens the socket when the first request
 * needs it, and another if the last one has closed meanwhile. Both go through `dial`, so every socket has been checked.
 */
export class Connection {
  readonly client: Client
  /** The checked address of the newest socket. */
  address = ''
  isOpen = false
  /** When the newest socket was opened, and when the last answer was complete. */
  openedAt = 0
  idleSince = 0
  #giveUp: (() => void) | null = null

  constructor(target: Target, options: ConnectionOptions, onClosed: (connection: Connection) => void) {
    this.client = new options.Client(target.origin, {
      connect: (_options, callback) => {
        this.#giveUp = dial(target, options, (error, dialed) => {
          this.#giveUp = null
          if (dialed === null) return callback(error ?? new Error('The dial failed without a reason.'), null)
          this.address = dialed.address
          this.openedAt = performance.now()
          this.isOpen = true
          callback(null, dialed.socket)
        })
      },
      allowH2: false,
      pipelining: 1,
      // The deadline of the call decides; two more timers would only compete with it.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: options.headerBytes,
      keepAliveTimeout: options.idleMs,
      keepAliveMaxTimeout: options.idleMs,
      keepAliveTimeoutThreshold: 1000,
    })
    this.client.on('disconnect', () => {
      this.isOpen = false
      onClosed(this)
    })
  }

  /** Ends the socket, or the attempt to open one, at once. */
  destroy(): void {
    this.#giveUp?.()
    void this.client.destroy()
  }
}
