import { Pool, type PoolLimits, type PoolOptions } from './pool.ts'
import type { Target } from './url.ts'

/** The pools of one purpose. Purposes share no sockets, so that a crawl cannot use up those that a call needs. */
export class PurposePools {
  // The least recently used pool comes first.
  readonly #pools = new Map<string, Pool>()
  readonly #limits: PoolLimits
  readonly #open: (target: Target, onEmpty: () => void) => PoolOptions

  constructor(limits: PoolLimits, open: (target: Target, onEmpty: () => void) => PoolOptions) {
    this.#limits = limits
    this.#open = open
  }

  poolFor(target: Target): Pool {
    const known = this.#pools.get(target.origin)
    if (known !== undefined) {
      this.#pools.delete(target.origin)
      this.#pools.set(target.origin, known)
      return known
    }
    this.#makeRoom()
    const pool: Pool = new Pool(this.#open(target, () => this.#forget(target.origin, pool)))
    this.#pools.set(target.origin, pool)
    return pool
  }

  get pools(): ReadonlyMap<string, Pool> {
    return this.#pools
  }

  /** Takes no new calls; running ones may finish. */
  close(): void {
    for (const pool of [...this.#pools.values()]) pool.close()
  }

  destroy(): void {
    for (const pool of [...this.#pools.values()]) pool.destroy()
  }

  /** Busy origins stay, because the running calls bound their number. */
  #makeRoom(): void {
    if (this.#pools.size < this.#limits.origins) return
    for (const [origin, pool] of this.#pools) {
      if (!pool.isResting) continue
      this.#pools.delete(origin)
      pool.close()
      return
    }
  }

  #forget(origin: string, pool: Pool): void {
    if (this.#pools.get(origin) === pool) this.#pools.delete(origin)
  }
}
