import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Answered, Checkout, type Work } from './checkout.ts'
import type { Database, Queries, Transaction, TransactionOptions } from './database.ts'
import type { Listen } from './listen.ts'
import { laidOut, type Named } from './named-values.ts'
import type { Statement } from './statement.ts'

export type PoolDatabaseOptions = {
  readonly engine: Database['engine']
  readonly pool: pg.Pool
  /** Whether statements are prepared under their names; a pooler in front of the server may not allow it. */
  readonly prepared: boolean
  /** Runs the work of a transaction, on its client, without the time limit for statements. */
  readonly unlimited: Unlimited
  readonly listen: Listen
  readonly warn: (message: string, details: Record<string, unknown>) => void
  /** How long a line may stay silent; for ever, where nothing is said. */
  readonly silentMs?: number
  /** Ends what uses the pool in the background. */
  readonly beforeClose?: () => Promise<void>
  /** Ends what is behind the pool. */
  readonly afterClose?: () => Promise<void>
}

export type Unlimited = <Result>(client: pg.PoolClient, work: () => Promise<Result>) => Promise<Result>

export type PoolDatabase = {
  readonly database: Database
  /** A client for commands that the port has no words for. */
  withClient<Result>(work: Work<Result>): Promise<Result>
}

const drainLimitMs = 5_000

/** The port on top of one pool of the driver, whatever engine is behind it. */
export function poolDatabase(options: PoolDatabaseOptions): PoolDatabase {
  const checkout = new Checkout(options.pool, options.warn, options.silentMs)
  const insideTransaction = new AsyncLocalStorage<{ open: boolean }>()
  let closing: Promise<void> | undefined

  const withClient = async <Result>(work: Work<Result>): Promise<Result> => {
    if (insideTransaction.getStore()?.open === true) {
      throw new Error('Inside a transaction use its `tx`: a second connection may never come free.')
    }
    return checkout.use(work)
  }

  const transaction = <Result>(work: (tx: Transaction) => Promise<Result>, limits: TransactionOptions = {}) =>
    withClient(async (client, answered) => {
      const marker = { open: true }
      const tx = transactionOn({ client, answered: limits.unlimited ? patient : answered }, marker, options.prepared)
      const inside = async (): Promise<Result> => {
        try {
          return await insideTransaction.run(marker, work, tx)
        } finally {
          marker.open = false
        }
      }
      return inTransaction({ client, answered }, limits.unlimited ? () => options.unlimited(client, inside) : inside)
    })

  const shutDown = async (): Promise<void> => {
    await Promise.race([options.beforeClose?.(), pause(drainLimitMs, undefined, { ref: false })])
    await checkout.close(drainLimitMs)
    await options.afterClose?.()
  }

  const database: Database = {
    engine: options.engine,
    ...queriesOn(withClient, options.prepared),
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

type Line = { readonly client: pg.PoolClient; readonly answered: Answered }
const patient: Answered = (asked) => asked

async function inTransaction<Result>({ client, answered }: Line, work: () => Promise<Result>): Promise<Result> {
  await answered(client.query('begin'))
  try {
    const result = await work()
    const { command } = await answered(client.query('commit'))
    // The database answers a commit after a failed statement with a rollback, and calls that a success.
    if (command !== 'COMMIT')
      throw new Error('Nothing was saved: a statement of this transaction failed and was caught.')
    return result
  } catch (error) {
    await answered(client.query('rollback')).catch(() => undefined) // a client that cannot even do this is thrown away
    throw error
  }
}

function transactionOn({ client, answered }: Line, marker: { open: boolean }, prepared: boolean): Transaction {
  const inside = async <Result>(work: Work<Result>): Promise<Result> => {
    // The client may be in somebody else's transaction by now.
    if (!marker.open) throw new Error('This transaction has ended: wait for everything that it is to do.')
    return work(client, answered)
  }
  return { ...queriesOn(inside, prepared), script: (text) => inside((own) => runScript(own, text)) }
}

function queriesOn(on: <Result>(work: Work<Result>) => Promise<Result>, prepared: boolean): Queries {
  const query = <Row, Values extends Named>(statement: Statement<Row, Values>, [given]: readonly [values?: Named]) => {
    const { name, text, unprepared } = statement
    const named = prepared && unprepared !== true ? { name, text } : { text }
    const values = laidOut(statement, given)
    return on((client, answered) => answered(client.query<RowOf<Row>>({ ...named, values })))
  }
  return {
    rows: async (statement, ...values) => (await query(statement, values)).rows,
    one: async (statement, ...values) => (await query(statement, values)).rows[0],
    run: async (statement, ...values) => (await query(statement, values)).rowCount ?? 0,
  }
}

// The driver wants to know that a row is an object; what its columns are is the claim of the statement.
type RowOf<Row> = Row & pg.QueryResultRow

async function runScript(client: pg.PoolClient, text: string): Promise<void> {
  await client.query(text)
}
