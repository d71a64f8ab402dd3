import type { Database } from '../src/kernel/db/index.ts'
import { PATIENCE_MS } from './until.ts'

/** A crowd of requests shares a few connections, and on a busy machine the last of it waits for one longer than a caller would. */
export const LIMITS = { statementTimeoutMs: 30_000, checkoutTimeoutMs: PATIENCE_MS }

export type FreshDatabase = {
  /** Migrated, and without rows but those that the migrations themselves put in. */
  readonly database: Database
  /** Where other processes reach it; only on a real server (TEST_DATABASE_URL). */
  readonly url?: string
  close(): Promise<void>
}
