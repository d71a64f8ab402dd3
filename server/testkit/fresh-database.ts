import type { Database } from '../src/foundation/db/index.ts'

export type FreshDatabase = {
  /** Migrated, and without rows but those that the migrations themselves put in. */
  readonly database: Database
  /** Where other processes reach it; only on a real server (TEST_DATABASE_URL). */
  readonly url?: string
  close(): Promise<void>
}
