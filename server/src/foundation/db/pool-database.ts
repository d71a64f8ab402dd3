import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { Database, Queries, Transaction, TransactionOptions } from './database.ts'
import { DatabaseUnavailable, saysUnavailable, sqlState } from './errors.ts'
import type { Statement } from './statement.ts'

export type PoolDatabaseOptions = {
  readonly engine: Database['engine']
  readonly pool: pg.Pool
  /** Whether statements are prepared under their names; a pooler in front of the server may not allow it. */
  readonly prepared: boolean
  readonly unlimited: Unlimited
  /** Ends what is behind the pool. */
  readonly closeEngine: () => Promise<void>
}

/** Runs a transaction's work on its client without the time limit for statements. */
export type Unlimited = <Result>(client: pg.PoolClient, work: () => Promise<Result>) => Promise<Result>

type Work<Result> = (client: pg.PoolClient) => Promise<Result>

const drainLimitMs = 5_000

/** The port on top of one pool of the driver, whatever engine is behind it. */
export function poolDatabase(options: PoolDatabaseOptions): Database {
  const { pool, prepared } = options
  const insideTransaction = new AsyncLocalStorage<{ open: boolean }>()
  const closed = Promise.withResolvers<never>()
  closed.promise.catch(() => undefined)
  let closing: Promise<void> | undefined

  const withClient = async <Result>(work: Work<Result>): Promise<Result> => {
    if (insideTransaction.getStore()?.open === true) {
      throw new Error('Inside a transaction use its `tx`: a second connection may never come free.')
    }
    const client = await checkout(pool, closed.promise)
    return useClient(client, closed.promise, work)
  }

  const transaction = <Result>(work: (tx: Transaction) => Promise<Result>, { unlimited }: TransactionOptions = {}) =>
    withClient((client) => {
      const marker = { open: true }
      const marked = (tx: Transaction) => insideTransaction.run(marker, work, tx)
      const committed = async () => {
        try {
          return await inTransaction(client, marked, prepared, unlimited === true ? options.unlimited : limited)
        } finally {
          marker.open = false
        }
      }
      return committed()
    })

  const shutDown = async (): Promise<void> => {
    await Promise.race([pool.end(), timer(drainLimitMs)])
    closed.reject(new DatabaseUnavailable('The database is closed.'))
    await options.closeEngine()
  }

  return {
    engine: options.engine,
    ...queriesOn(withClient, prepared),
    script: (text) => withClient((client) => runScript(client, text)),
    transaction,
    close: () => {
      closing ??= shutDown()
      return closing
    },
  }
}

async function checkout(pool: pg.Pool, closed: Promise<never>): Promise<pg.PoolClient> {
  const coming = pool.connect()
  try {
    return await Promise.race([coming, closed])
  } catch (error) {
    coming.then((client) => client.release()).catch(() => undefined)
    throw error instanceof DatabaseUnavailable ? error : noConnection(pool, error)
  }
}

async function useClient<Result>(client: pg.PoolClient, closed: Promise<never>, work: Work<Result>): Promise<Result> {
  let fault: Error | undefined
  const onFault = (error: Error): void => {
    fault ??= error
  }
  client.on('error', onFault)
  try {
    return await Promise.race([work(client), closed])
  } catch (error) {
    throw isGone(error, fault) ? wentAway(error) : error
  } finally {
    // A client that is not at rest (its server is gone, a transaction was left open) is of no use to the next one.
    const atRest = fault === undefined && client.getTransactionStatus() === 'I'
    client.release(!atRest)
    client.off('error', onFault)
  }
}

async function inTransaction<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
  prepared: boolean,
  limits: Unlimited,
): Promise<Result> {
  await client.query('begin')
  try {
    const tx: Transaction = {
      ...queriesOn((run) => run(client), prepared),
      script: (text) => runScript(client, text),
    }
    const result = await limits(client, () => work(tx))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // a client that cannot even do this is thrown away
    throw error
  }
}

const limited: Unlimited = (_client, work) => work()

function queriesOn(on: <Result>(work: Work<Result>) => Promise<Result>, prepared: boolean): Queries {
  const query = <Row, Values extends readonly unknown[]>(statement: Statement<Row, Values>, values: Values) =>
    on((client) => {
      const name = prepared ? { name: statement.name } : {}
      return client.query<RowOf<Row>>({ ...name, text: statement.text, values: [...values] })
    })
  return {
    rows: async (statement, values) => (await query(statement, values)).rows,
    one: async (statement, values) => (await query(statement, values)).rows[0],
    run: async (statement, values) => (await query(statement, values)).rowCount ?? 0,
  }
}

// The driver wants to know that a row is an object; what its columns are is the claim of the statement.
type RowOf<Row> = Row & pg.QueryResultRow

async function runScript(client: pg.PoolClient, text: string): Promise<void> {
  await client.query(text)
}

function noConnection(pool: pg.Pool, cause: unknown): DatabaseUnavailable {
  const reason = cause instanceof Error ? cause.message : String(cause)
  if (reason !== 'timeout exceeded when trying to connect') {
    return new DatabaseUnavailable(
      `The database cannot be reached: ${reason}. Check Database:Url and that it runs.`,
      cause,
    )
  }
  return new DatabaseUnavailable(
    `No database connection came free: ${pool.totalCount} in use, ${pool.waitingCount} waiting. ` +
      'Look for slow statements and long transactions, or raise Database:PoolSize.',
    cause,
  )
}

// An error that the database itself answered with is the answer, even when it hung up right after.
const isGone = (error: unknown, fault: Error | undefined): boolean =>
  sqlState(error) === undefined ? fault !== undefined : saysUnavailable(error)

function wentAway(cause: unknown): DatabaseUnavailable {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new DatabaseUnavailable(`The database went away while a statement was under way: ${reason}`, cause)
}

function timer(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}
