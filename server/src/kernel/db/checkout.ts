import type pg from 'pg'
import { inTime } from '../clock/index.ts'
import {
  cannotWrite,
  DatabaseUnavailable,
  hungUp,
  isReplica,
  metMovedShard,
  saysUnavailable,
  sqlState,
} from './errors.ts'
import { isFull } from './hosts.ts'

/** Waits for a query's answer for as long as the connection may stay silent. */
export type AwaitAnswer = <Result>(query: Promise<Result>) => Promise<Result>
export type ClientWork<Result> = (client: pg.PoolClient, awaitAnswer: AwaitAnswer) => Promise<Result>

type Warn = (message: string, details: Record<string, unknown>) => void

const closedMessage = 'The database is closed.'

type CheckoutOptions = {
  readonly silentMs?: number
  readonly connect?: () => Promise<pg.PoolClient>
  /** Says that it answers again. */
  readonly tell?: Warn
}

/** The clients of one pool: who waits for one, who has one, and whether it is fit for the next caller. */
export class Checkout {
  readonly #pool: pg.Pool
  readonly #connect: () => Promise<pg.PoolClient>
  readonly #silentMs: number
  readonly #tell: Warn | undefined
  #awaySince: number | undefined
  readonly #waiting = new Set<(error: Error) => void>()
  readonly #held = new Set<CheckedOut>()
  #closed = false

  /** After `silentMs` without an answer we take a connection for dead; 0 means never. */
  constructor(pool: pg.Pool, warn: Warn, options: CheckoutOptions = {}) {
    const { silentMs = 0, connect = () => pool.connect(), tell } = options
    this.#pool = pool
    this.#connect = connect
    this.#silentMs = silentMs
    this.#tell = tell
    // The pool has already dropped this client and opens another when it needs one. Unhandled, the error would end the
    // process.
    pool.on('error', (error) => {
      if (!this.#closed)
        warn('An idle database connection was lost. The pool opens a new one when it needs it.', {
          reason: error.message,
        })
    })
  }

  /** Runs work on a client that nobody else uses meanwhile. */
  async use<Result>(work: ClientWork<Result>): Promise<Result> {
    const held = new CheckedOut(await this.#take(), this.#silentMs)
    this.#held.add(held)
    try {
      return await work(held.client, held.awaitAnswer)
    } catch (error) {
      throw held.errorForCaller(error)
    } finally {
      this.#held.delete(held)
      held.giveBack()
    }
  }

  /** Lets everybody finish within `drainMs`, then refuses those who still wait and interrupts those who still work. */
  async close(drainMs: number): Promise<void> {
    this.#closed = true
    await inTime(drainMs, this.#pool.end())
    for (const refuse of this.#waiting) refuse(new DatabaseUnavailable(closedMessage))
    this.#waiting.clear()
    for (const held of this.#held) held.breakOff(closedMessage)
  }

  #take(): Promise<pg.PoolClient> {
    if (this.#closed) return Promise.reject(new DatabaseUnavailable(closedMessage))
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    this.#waiting.add(reject)
    this.#connect().then(
      (client) => {
        this.#isThere()
        // The caller may have heard already that the database is closed.
        if (this.#waiting.delete(reject)) resolve(client)
        else client.release(true)
      },
      (error: unknown) => {
        this.#waiting.delete(reject)
        if (!isFull(error)) this.#awaySince ??= performance.now()
        reject(noConnection(this.#pool, error))
      },
    )
    return promise
  }

  /** Whoever was woken because it was away wants to read that it is back, and not to conclude it from silence. */
  #isThere(): void {
    if (this.#awaySince === undefined) return
    const awaySeconds = Math.round((performance.now() - this.#awaySince) / 1000)
    this.#awaySince = undefined
    this.#tell?.('The database answers again.', { awaySeconds })
  }
}

/** One client while a caller has it. */
class CheckedOut {
  readonly client: pg.PoolClient
  readonly #silentMs: number
  #fault: Error | undefined
  #isBack = false

  constructor(client: pg.PoolClient, silentMs: number) {
    this.client = client
    this.#silentMs = silentMs
    client.on('error', this.#onFault)
  }

  /** The error for the caller. An error that the database answered with counts, even if it hung up right after. */
  errorForCaller(error: unknown): unknown {
    if (hungUp(error) || isReplica(error)) this.#fault ??= error
    if (sqlState(error) !== undefined) return saysUnavailable(error) ? wentAway(error) : error
    return this.#fault === undefined ? error : wentAway(this.#fault)
  }

  giveBack(): void {
    if (this.#isBack) return
    this.#isBack = true
    // A client whose server is gone, or whose transaction was left open, is of no use to the next caller.
    const isAtRest = this.#fault === undefined && this.client.getTransactionStatus() === 'I'
    this.client.release(!isAtRest)
    this.client.off('error', this.#onFault)
  }

  /** Nothing arrives over a dead connection, not even the server's own time limit, so we need a limit here. */
  readonly awaitAnswer: AwaitAnswer = (query) => {
    if (this.#silentMs === 0) return query
    const timer = setTimeout(() => this.breakOff(`no answer within ${this.#silentMs / 1000} s`), this.#silentMs)
    return query.finally(() => clearTimeout(timer))
  }

  /** Ends the connection while the work still uses it. */
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
  if (isFull(cause)) {
    const full = `${pool.totalCount} in use, ${pool.waitingCount} waiting`
    const advice = 'Look for slow statements and long transactions, or raise Database:PoolSize.'
    return new DatabaseUnavailable(`No database connection became free in time (${full}). ${advice}`, cause)
  }
  if (sqlState(cause) !== undefined) {
    return new DatabaseUnavailable(`The database refused the connection: ${reason}`, cause)
  }
  const advice = 'Check that it is running and that its address is right (Database:Url).'
  return new DatabaseUnavailable(`The database cannot be reached: ${reason}. ${advice}`, cause)
}

function wentAway(cause: unknown): DatabaseUnavailable {
  if (cannotWrite(cause)) {
    const advice = 'Check its disk and its memory, and whether it has become a replica.'
    return new DatabaseUnavailable(`The database cannot write: ${reasonOf(cause)}. ${advice}`, cause)
  }
  if (metMovedShard(cause))
    return new DatabaseUnavailable(`Citus moves a shard. The statement was rolled back: ${reasonOf(cause)}`, cause)
  return new DatabaseUnavailable(`The connection to the database broke during a statement: ${reasonOf(cause)}`, cause)
}

function reasonOf(cause: unknown): string {
  // A host with several addresses fails with one error per address, and an empty message of its own.
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
