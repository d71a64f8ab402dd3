import type pg from 'pg'
import { cannotWrite, DatabaseUnavailable, hungUp, isReplica, saysUnavailable, sqlState } from './errors.ts'

/** Waits for what the database was asked, as long as the line may stay silent. */
export type Answered = <Result>(asked: Promise<Result>) => Promise<Result>
export type Work<Result> = (client: pg.PoolClient, answered: Answered) => Promise<Result>

type Warn = (message: string, details: Record<string, unknown>) => void

const closedMessage = 'The database is closed.'

/** The clients of one pool: who waits for one, who has one, and whether it is good for the next one. */
export class Checkout {
  readonly #pool: pg.Pool
  readonly #silentMs: number
  readonly #waiting = new Set<(error: Error) => void>()
  readonly #held = new Set<Held>()
  #closed = false

  /** `silentMs`: after this long without an answer a line is believed dead; 0 is never. */
  constructor(pool: pg.Pool, warn: Warn, silentMs = 0) {
    this.#pool = pool
    this.#silentMs = silentMs
    // The pool has dropped that client already and opens another when it needs one; unheard, it would end the process.
    pool.on('error', (error) => {
      if (!this.#closed) warn('A database connection was lost while nobody used it.', { reason: error.message })
    })
  }

  /** Runs work on a client that nobody else has meanwhile. */
  async use<Result>(work: Work<Result>): Promise<Result> {
    const held = new Held(await this.#take(), this.#silentMs)
    this.#held.add(held)
    try {
      return await work(held.client, held.answered)
    } catch (error) {
      throw held.judge(error)
    } finally {
      this.#held.delete(held)
      held.giveBack()
    }
  }

  /** Lets everybody finish, but not for ever: then whoever still waits or works is told. */
  async close(drainMs: number): Promise<void> {
    this.#closed = true
    const drained = this.#pool.end()
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, drainMs)
    await Promise.race([drained, late])
    clearTimeout(timer)
    for (const refuse of this.#waiting) refuse(new DatabaseUnavailable(closedMessage))
    this.#waiting.clear()
    for (const held of this.#held) held.breakOff(closedMessage)
  }

  #take(): Promise<pg.PoolClient> {
    if (this.#closed) return Promise.reject(new DatabaseUnavailable(closedMessage))
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    this.#waiting.add(reject)
    this.#pool.connect().then(
      (client) => {
        // Whoever waited may have been told already that the database is closed.
        if (this.#waiting.delete(reject)) resolve(client)
        else client.release(true)
      },
      (error: unknown) => {
        this.#waiting.delete(reject)
        reject(noConnection(this.#pool, error))
      },
    )
    return promise
  }
}

/** One client while somebody has it. */
class Held {
  readonly client: pg.PoolClient
  readonly #silentMs: number
  #fault: Error | undefined
  #isBack = false

  constructor(client: pg.PoolClient, silentMs: number) {
    this.client = client
    this.#silentMs = silentMs
    client.on('error', this.#onFault)
  }

  /** What the caller is told: what the database itself answered with is the answer, even if it hung up right after. */
  judge(error: unknown): unknown {
    if (hungUp(error) || isReplica(error)) this.#fault ??= error
    if (sqlState(error) !== undefined) return saysUnavailable(error) ? wentAway(error) : error
    return this.#fault === undefined ? error : wentAway(this.#fault)
  }

  giveBack(): void {
    if (this.#isBack) return
    this.#isBack = true
    // A client that is not at rest (its server is gone, a transaction was left open) is of no use to the next one.
    const isAtRest = this.#fault === undefined && this.client.getTransactionStatus() === 'I'
    this.client.release(!isAtRest)
    this.client.off('error', this.#onFault)
  }

  /** Nothing comes through a dead line, not even that it is dead: the server's own time limit is never heard of. */
  readonly answered: Answered = (asked) => {
    if (this.#silentMs === 0) return asked
    const timer = setTimeout(() => this.breakOff(`no answer within ${this.#silentMs / 1000} s`), this.#silentMs)
    return asked.finally(() => clearTimeout(timer))
  }

  /** Ends the connection under the work. */
  breakOff(why: string): void {
    this.#fault ??= new Error(why)
    this.giveBack()
  }

  readonly #onFault = (error: Error): void => {
    this.#fault ??= error
  }
}

function noConnection(pool: pg.Pool, cause: unknown): DatabaseUnavailable {
  const reason = reasonOf(cause)
  if (reason === 'timeout exceeded when trying to connect') {
    const full = `${pool.totalCount} in use, ${pool.waitingCount} waiting`
    const advice = 'Look for slow statements and long transactions, or raise Database:PoolSize.'
    return new DatabaseUnavailable(`No database connection came free in time (${full}). ${advice}`, cause)
  }
  if (sqlState(cause) !== undefined) {
    return new DatabaseUnavailable(`The database refused the connection: ${reason}`, cause)
  }
  const advice = 'Check that it runs, and that Database:Url is right.'
  return new DatabaseUnavailable(`The database cannot be reached: ${reason}. ${advice}`, cause)
}

function wentAway(cause: unknown): DatabaseUnavailable {
  if (cannotWrite(cause)) {
    const advice = 'Look at its disk and its memory, and whether it has become a replica.'
    return new DatabaseUnavailable(`The database cannot write: ${reasonOf(cause)}. ${advice}`, cause)
  }
  return new DatabaseUnavailable(`The database went away while a statement was under way: ${reasonOf(cause)}`, cause)
}

function reasonOf(cause: unknown): string {
  // A name with several addresses fails with one error per address, and an empty message of its own.
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
