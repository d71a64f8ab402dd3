import pg from 'pg'

/**
 * The database could not be reached, or the connection broke during a statement. That statement may or may not have
 * taken effect: only a retry under an idempotency key, or a look at the rows, can tell.
 */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'DatabaseUnavailable'
  }
}

export const isUnavailable = (error: unknown): error is DatabaseUnavailable => error instanceof DatabaseUnavailable

/** The SQLSTATE of an error that the database itself answered with, otherwise undefined. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

export const isUniqueViolation = (error: unknown, constraint?: string): boolean => violates(error, '23505', constraint)

export const isCheckViolation = (error: unknown, constraint?: string): boolean => violates(error, '23514', constraint)

/**
 * Another transaction was in the way (deadlock, serialization). Nothing took effect, so the same work may be retried.
 */
export const isTransactionConflict = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '')

/** The role may not do this. A migration that failed for it has the error as its cause. */
export const lacksPrivilege = (error: unknown): boolean =>
  sqlState(error) === '42501' || (error instanceof Error && sqlState(error.cause) === '42501')

/** The statement ran longer than the limit and was cancelled. */
export const isTimeLimit = (error: unknown): boolean => sqlState(error) === '57014'

/** The message of an SQL error, with the line of the script that it points to. The command that failed begins at `start`. */
export function sqlErrorAt(error: unknown, script: string, start = 0): string {
  const message = error instanceof Error ? error.message : String(error)
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN
  if (!(position > 0)) return message
  return `${message} (line ${script.slice(0, start + position - 1).split('\n').length})`
}

// The server is stopping, starting or full, so it would refuse any statement, not just this one.
const goneStates = ['08000', '08001', '08003', '08004', '08006', '57P01', '57P02', '57P03', '57P05', '53300']
// The server answers but cannot write: its disk or memory is full, its disk fails, or it has become a replica.
const stuckStates = ['53000', '53100', '53200', '58030', '25006']

// PgBouncer says with this state alone that it has lost its server, cannot log in to it, or has no connection free; then it hangs
// up. PostgreSQL itself uses it for a client that breaks the protocol.
const poolerState = '08P01'

// Citus planned the statement for a shard that was split or moved before the statement ran. Internal errors share one state.
const movedShard: ReadonlyMap<string | undefined, string> = new Map([
  ['XX000', 'could not find valid entry for shard '],
  ['40001', 'shard for the given value does not exist'],
])

/** The shard of a statement has moved. Nothing took effect, and the same statement finds the new place. */
export function metMovedShard(error: unknown): boolean {
  const start = movedShard.get(sqlState(error))
  return start !== undefined && error instanceof Error && error.message.startsWith(start)
}

export const saysUnavailable = (error: unknown): boolean => {
  const state = sqlState(error)
  if (state === poolerState) return hungUp(error)
  if (metMovedShard(error)) return true
  return state !== undefined && (goneStates.includes(state) || stuckStates.includes(state))
}

export const cannotWrite = (error: unknown): boolean => stuckStates.includes(sqlState(error) ?? '')

/** A server that has become a replica stays one, but another may accept writes at the same address by now. */
export const isReplica = (error: unknown): error is Error => sqlState(error) === '25006'

/** After such an answer the connection is gone, even if we have not seen it end. */
export function hungUp(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC')
}

function violates(error: unknown, state: string, constraint: string | undefined): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== state) return false
  return constraint === undefined || error.constraint === constraint
}
