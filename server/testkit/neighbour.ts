// The second workspace in the database of a test (neighbour.sql).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Database } from '../src/kernel/db/index.ts'

const text = readFileSync(new URL('./neighbour.sql', import.meta.url), 'utf8')

/** Inserts the neighbour into a migrated database without rows. */
export const placeNeighbour = (database: Database): Promise<void> => database.script(text)

/** Changes with the SQL and every UTC day: the SQL sets times relative to now, and snapshots are reused. */
export function neighbourKey(): string {
  const today = new Date().toISOString().slice(0, 10)
  return createHash('sha256').update(text).update(today).digest('hex').slice(0, 8)
}
