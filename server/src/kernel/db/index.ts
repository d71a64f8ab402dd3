export { answers } from './answers.ts'
export { splitCommands } from './commands.ts'
export type { Database, Queries, Transaction } from './database.ts'
export {
  DatabaseUnavailable,
  isCheckViolation,
  isTimeLimit,
  isTransactionConflict,
  isUnavailable,
  isUniqueViolation,
  lacksPrivilege,
  sqlState,
} from './errors.ts'
export type { Hear } from './listen.ts'
export { adoptSquash, migrate, schemaState, someOf } from './migrate.ts'
export { type Migrations, readMigrations } from './migrations.ts'
export { type Named, type NoValues, orderedValues } from './named-values.ts'
export { type DatabaseOptions, openDatabase, type ServerLocation } from './open.ts'
export { serverAdvice } from './server-advice.ts'
export { allStatements, type Declaration, type Statement, statement, unlisted } from './statement.ts'
