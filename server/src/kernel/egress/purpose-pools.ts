import type { Client } from 'undici'
import { Pool, type PoolLimits, type PoolOptions } from './pool.ts'
import type { Target } from './url.ts'

export type OpenPool = (target: Target, client: typeof Client, onEmpty: () => void) => PoolOptions

/**
 * The pools of one purpose: one for each share and origin. Purposes have no socket in common, so that a crawl cannot use
 * up those that a call needs; nor have shares, so that nobody waits in line behind the hanging calls of somebody else
 * whose server has the same address.
 */
export class PurposePools {
  // The least recently used pool comes first.
  readonly #pools = new Map<string, Pool>()
  readonly #limits: PoolLimits
  readonly #open: OpenPool

  constructor(limits: PoolLimits, open: OpenPool) {
    this.#limits = limits
    this.#open = open
  }

  poolFor(share: number, target: Target, client: typeof Client): Pool {
    const key = `${share} ${target.origin}`
    const known = this.#pools.get(key)
    if (known !== undefined) {
      this.#pools.delete(key)
      this.#pools.set(key, known)
      return known
    }
    this.#makeRoom()
    const pool: Pool = new Pool(this.#open(target, client, () => this.#forget(key, pool)))
    this.#pools.set(key, pool)
    return pool
  }

  /** The number of open sockets by origin, those of all shares together. */
  sockets(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { origin, size } of this.#pools.values()) counts.set(origin, (counts.get(origin) ?? 0) + size)
    return counts
  }

  /** Takes no new calls; running ones may finish. */
  close(): void {
    for (const pool of [...this.#pools.values()]) pool.close()
  }

  destroy(): void {
    for (const pool of [...this.#pools.values()]) pool.destroy()
  }

  /** Busy pools stay, because the running calls bound their number. */
  #makeRoom(): void {
    if (this.#pools.size < this.#limits.pools) return
    for (const [key, pool] of this.#pools) {
      if (!pool.isResting) continue
      this.#pools.delete(key)
      pool.close()
      return
    }
  }

  #forget(key: string, pool: Pool): void {
    if (this.#pools.get(key) === pool) this.#pools.delete(key)
  }
}
