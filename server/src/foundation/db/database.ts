import type { Listen } from './listen.ts'
import type { Given, Named } from './named-values.ts'
import type { Statement } from './statement.ts'

/** What a query function is handed: the database itself, or a transaction. */
export type Queries = {
  rows<Row, Values extends Named>(statement: Statement<Row, Values>, ...values: Given<NoInfer<Values>>): Promise<Row[]>
  /** The first row, or undefined. */
  one<Row, Values extends Named>(
    statement: Statement<Row, Values>,
    ...values: Given<NoInfer<Values>>
  ): Promise<Row | undefined>
  /** How many rows the statement touched. */
  run<Values extends Named>(statement: Statement<unknown, Values>, ...values: Given<NoInfer<Values>>): Promise<number>
}

/** SQL that is no declared statement, several commands in one text: for migrations and maintenance only. */
type Scripts = {
  script(text: string): Promise<void>
}

export type Transaction = Queries & Scripts

export type TransactionOptions = {
  /** Lifts the time limit for statements: for migrations. */
  readonly unlimited?: boolean
}

export type Database = Queries &
  Scripts & {
    readonly engine: 'embedded' | 'server'
    /** For the few changes that need a lock first. Never call the outside world inside, and use only `tx` inside: the embedded engine has one connection. */
    transaction<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>
    /** Hears notifications for as long as it is not closed. One may be missed while a connection is lost: whoever listens polls, too. */
    readonly listen: Listen
    close(): Promise<void>
  }
