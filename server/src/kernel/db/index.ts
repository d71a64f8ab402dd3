export { answers } from './answers.ts'
export { splitCommands } from './commands.ts'
export type { Database, Queries, Transaction, TransactionOptions } from './database.ts'
export type { EmbeddedLocation } from './embedded/open.ts'
export {
  DatabaseUnavailable,
  isCheckViolation,
  isForeignKeyViolation,
  isTimeLimit,
  isTransactionConflict,
  isUnavailable,
  isUniqueViolation,
  lacksPrivilege,
  sqlState,
} from './errors.ts'
export type { Hear, Listen, Listening } from './listen.ts'
export { adoptSquash, migrate, type SchemaState, schemaState, someOf } from './migrate.ts'
export { type Migrations, readMigrations } from './migrations.ts'
export { type Named, type NoValues, orderedValues, type ValueArguments } from './named-values.ts'
export { type DatabaseOptions, openDatabase, type ServerLocation } from './open.ts'
export { serverAdvice } from './server-advice.ts'
export { allStatements, type Declaration, type Statement, statement, unlisted } from './statement.ts'
