import type { Listen } from './listen.ts'
import type { Named, ValueArguments } from './named-values.ts'
import type { Statement } from './statement.ts'

/** What a query function receives: the database itself or a transaction. */
export type Queries = {
  rows<Row, Values extends Named>(
    statement: Statement<Row, Values>,
    ...values: ValueArguments<NoInfer<Values>>
  ): Promise<Row[]>
  /** Returns the first row, or undefined. */
  one<Row, Values extends Named>(
    statement: Statement<Row, Values>,
    ...values: ValueArguments<NoInfer<Values>>
  ): Promise<Row | undefined>
  /** Returns how many rows the statement touched. */
  run<Values extends Named>(
    statement: Statement<unknown, Values>,
    ...values: ValueArguments<NoInfer<Values>>
  ): Promise<number>
}

/**
 * Runs SQL that is not a declared statement, with several commands in one text. Only for migrations and maintenance.
 */
type ScriptRunner = {
  script(text: string): Promise<void>
}

export type Transaction = Queries & ScriptRunner

export type TransactionOptions = {
  /** Lifts the time limit for statements, for migrations. */
  readonly unlimited?: boolean
}

export type Database = Queries &
  ScriptRunner & {
    readonly engine: 'embedded' | 'server'
    /**
     * For the few changes that need a lock first. Inside, call nothing outside the process and use only `tx`, because
     * the embedded engine has one connection.
     */
    transaction<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>
    /** `one`, for statements that would wait for each other: those of one line go one after the other, and together where several wait. */
    inLine<Row, Values extends Named>(
      line: string,
      statement: Statement<Row, Values>,
      ...values: ValueArguments<NoInfer<Values>>
    ): Promise<Row | undefined>
    /** Listens until it is closed. A notification can get lost with a connection, so a listener must poll as well. */
    readonly listen: Listen
    close(): Promise<void>
  }
