import pg from 'pg'

/**
 * The servers of one database: a primary and its standbys. All connections go to one of them until it refuses, or says that it
 * takes no writes; the driver knows only one address.
 */
export class Hosts {
  readonly #urls: readonly [string, ...string[]]
  #at = 0

  constructor(urls: readonly [string, ...string[]]) {
    this.#urls = urls
  }

  get count(): number {
    return this.#urls.length
  }

  get present(): string {
    return this.#urls[this.#at % this.#urls.length] ?? this.#urls[0]
  }

  /** The one after this. Of many who find it dead at once, the first one moves on. */
  passOver(url: string): void {
    if (url === this.present) this.#at += 1
  }

  /** Tries every host once, beginning with the present one. */
  async tried<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let left = this.count; ; left--) {
      const url = this.present
      try {
        return await work()
      } catch (error) {
        if (isFull(error)) throw error
        this.passOver(url)
        if (left <= 1) throw error
      }
    }
  }
}

/** All connections of the pool are in use: that says nothing of the host. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

// Another host may be the one: there is no time to wait long for one that says nothing.
const connectMs = 2_000

/** The driver's client, to whichever host is the present one. */
export const clientOf = (hosts: Hosts): typeof pg.Client =>
  class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: hosts.present, connectionTimeoutMillis: connectMs })
    }
  }

/** A standby lets everybody in, and refuses each write. */
export async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby !== false) throw new Error('it is a standby, which takes no writes')
}
