import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type AwaitAnswer, Checkout, type ClientWork } from './checkout.ts'
import type { Database, Queries, Transaction, TransactionOptions } from './database.ts'
import { isUnavailable, metMovedShard } from './errors.ts'
import { openLines } from './in-line.ts'
import type { Listen } from './listen.ts'
import { type Named, orderedValues } from './named-values.ts'
import type { Statement } from './statement.ts'

type PoolDatabaseOptions = {
  readonly engine: Database['engine']
  readonly pool: pg.Pool
  /** The pool's own `connect`, unless set. */
  readonly connect?: () => Promise<pg.PoolClient>
  /** True if statements are prepared under their names, which a pooler may not support. */
  readonly prepared: boolean
  /** Runs a transaction's work on its client without the time limit for statements. */
  readonly unlimited: Unlimited
  readonly listen: Listen
  readonly warn: (message: string, details: Record<string, unknown>) => void
  /** Says that a database that was away answers again. */
  readonly tell?: (message: string, details: Record<string, unknown>) => void
  /** How long a connection may stay silent. There is no limit by default. */
  readonly silentMs?: number
  /** Stops background work that uses the pool. */
  readonly beforeClose?: () => Promise<void>
  /** Closes what is behind the pool. */
  readonly afterClose?: () => Promise<void>
}

export type Unlimited = <Result>(client: pg.PoolClient, work: () => Promise<Result>) => Promise<Result>

type PoolDatabase = {
  readonly database: Database
  /** Lends a client for commands that the port does not offer. */
  withClient<Result>(work: ClientWork<Result>): Promise<Result>
}

const drainLimitMs = 5_000

/** Implements the port on one of the driver's pools, whatever engine is behind it. */
export function poolDatabase(options: PoolDatabaseOptions): PoolDatabase {
  const checkout = new Checkout(options.pool, options.warn, options)
  const insideTransaction = new AsyncLocalStorage<{ open: boolean }>()
  let closing: Promise<void> | undefined

  const withClient = async <Result>(work: ClientWork<Result>): Promise<Result> => {
    if (insideTransaction.getStore()?.open === true) {
      throw new Error('Use `tx` inside a transaction, because a second connection may never become free.')
    }
    return checkout.use(work)
  }

  const transaction = <Result>(work: (tx: Transaction) => Promise<Result>, limits: TransactionOptions = {}) =>
    withClient(async (client, awaitAnswer) => {
      const marker = { open: true }
      const tx = transactionOn(
        { client, awaitAnswer: limits.unlimited ? patient : awaitAnswer },
        marker,
        options.prepared,
      )
      const inside = async (): Promise<Result> => {
        try {
          return await insideTransaction.run(marker, work, tx)
        } finally {
          marker.open = false
        }
      }
      return inTransaction({ client, awaitAnswer }, limits.unlimited ? () => options.unlimited(client, inside) : inside)
    })

  const shutDown = async (): Promise<void> => {
    await Promise.race([options.beforeClose?.(), pause(drainLimitMs, undefined, { ref: false })])
    await checkout.close(drainLimitMs)
    await options.afterClose?.()
  }

  // Only a whole transaction can be repeated, so this is for statements outside of one.
  const withRepeat = <Result>(work: ClientWork<Result>): Promise<Result> =>
    withClient(work).catch((error: unknown) => {
      if (isUnavailable(error) && metMovedShard(error.cause)) return withClient(work)
      throw error
    })

  const queries = queriesOn(withRepeat, options.prepared)
  const database: Database = {
    engine: options.engine,
    ...queries,
    inLine: openLines({ one: queries.one, transaction }),
    script: (text) => withClient((client) => runScript(client, text)),
    transaction,
    listen: options.listen,
    close: () => {
      closing ??= shutDown()
      return closing
    },
  }
  return { database, withClient }
}

type PooledClient = { readonly client: pg.PoolClient; readonly awaitAnswer: AwaitAnswer }
const patient: AwaitAnswer = (query) => query

async function inTransaction<Result>(
  { client, awaitAnswer }: PooledClient,
  work: () => Promise<Result>,
): Promise<Result> {
  await awaitAnswer(client.query('begin'))
  try {
    const result = await work()
    const { command } = await awaitAnswer(client.query('commit'))
    // After a failed statement, the database answers a commit with a rollback and reports success.
    if (command !== 'COMMIT')
      throw new Error(
        'Nothing was saved, because a statement of this transaction failed and its error was caught. Let the error through.',
      )
    return result
  } catch (error) {
    await awaitAnswer(client.query('rollback')).catch(() => undefined) // A client that cannot even do this is thrown away.
    throw error
  }
}

function transactionOn(
  { client, awaitAnswer }: PooledClient,
  marker: { open: boolean },
  prepared: boolean,
): Transaction {
  const inside = async <Result>(work: ClientWork<Result>): Promise<Result> => {
    // Another transaction may be using the client by now.
    if (!marker.open) throw new Error('This transaction has ended. Await all of its statements inside it.')
    return work(client, awaitAnswer)
  }
  return { ...queriesOn(inside, prepared), script: (text) => inside((own) => runScript(own, text)) }
}

function queriesOn(on: <Result>(work: ClientWork<Result>) => Promise<Result>, prepared: boolean): Queries {
  const query = <Row, Values extends Named>(statement: Statement<Row, Values>, [given]: readonly [values?: Named]) => {
    const { name, text, unprepared } = statement
    const named = prepared && unprepared !== true ? { name, text } : { text }
    const values = orderedValues(statement, given)
    return on((client, awaitAnswer) => awaitAnswer(client.query<RowOf<Row>>({ ...named, values })))
  }
  return {
    rows: async (statement, ...values) => (await query(statement, values)).rows,
    one: async (statement, ...values) => (await query(statement, values)).rows[0],
    run: async (statement, ...values) => (await query(statement, values)).rowCount ?? 0,
  }
}

// The driver's type requires a row to be an object. The statement's type says which columns it has.
type RowOf<Row> = Row & pg.QueryResultRow

async function runScript(client: pg.PoolClient, text: string): Promise<void> {
  await client.query(text)
}
