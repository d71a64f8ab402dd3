import pg from 'pg'
import type { Database } from './database.ts'
import { type EmbeddedLocation, openEmbedded } from './embedded/open.ts'
import { listenOnServer } from './listen.ts'
import { poolDatabase, type Unlimited } from './pool-database.ts'
import { wireTypes } from './wire-types.ts'

/** Set `prepared: false` behind a pooler that does not support prepared statements (pgbouncer before 1.21). */
export type ServerLocation = { readonly url: string; readonly poolSize: number; readonly prepared: boolean }

export type DatabaseOptions = {
  /** Where the data is: on a PostgreSQL server, in a directory of the embedded database, or in memory (tests). */
  readonly at: ServerLocation | EmbeddedLocation
  /** A statement that runs longer is cancelled; 0 means no limit. */
  readonly statementTimeoutMs: number
  /** How long to wait for a free connection. */
  readonly checkoutTimeoutMs?: number
  readonly warn: (message: string, details: Record<string, unknown>) => void
}

const usualCheckoutMs = 10_000
// A server reports a cancelled statement at once. If we hear nothing for this long after the limit, the connection is
// dead.
const graceMs = 2_000

/**
 * Opens the database. The embedded engine starts at once in its own thread, so callers can load other modules
 * meanwhile.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = { connectionTimeoutMillis: options.checkoutTimeoutMs ?? usualCheckoutMs, types: wireTypes }
  if ('url' in options.at) return openServerDatabase(options.at, options, pool)
  return (await openEmbedded(options.at, options, pool)).database
}

function openServerDatabase(
  at: ServerLocation,
  { statementTimeoutMs, warn }: DatabaseOptions,
  common: pg.PoolConfig,
): Database {
  const pool = new pg.Pool({
    ...common,
    connectionString: at.url,
    max: at.poolSize,
    application_name: 'tether',
    keepAlive: true,
    ...limited(statementTimeoutMs, at.prepared),
  })
  const unlimited: Unlimited = async (client, work) => {
    await client.query('set local statement_timeout = 0')
    return work()
  }
  const listen = listenOnServer(
    {
      connectionString: at.url,
      application_name: 'tether listens',
      keepAlive: true,
      connectionTimeoutMillis: common.connectionTimeoutMillis,
    },
    warn,
  )
  const silentMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + graceMs
  return poolDatabase({ engine: 'server', pool, prepared: at.prepared, unlimited, listen, warn, silentMs }).database
}

/**
 * A direct connection sends the limit in its first message. A pooler refuses unknown settings there, so we set it
 * after.
 */
function limited(statementTimeoutMs: number, isDirect: boolean): pg.PoolConfig {
  if (statementTimeoutMs === 0) return {}
  if (isDirect) return { statement_timeout: statementTimeoutMs }
  return { onConnect: (client) => client.query(`set statement_timeout = ${Math.round(statementTimeoutMs)}`) }
}
