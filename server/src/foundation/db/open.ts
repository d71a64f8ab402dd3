import pg from 'pg'
import type { Database } from './database.ts'
import { type EmbeddedPlace, openEmbedded } from './embedded/open.ts'
import { listenOnServer } from './listen.ts'
import { poolDatabase, type Unlimited } from './pool-database.ts'
import { wireTypes } from './wire-types.ts'

/** `prepared: false` is for a pooler that does not keep prepared statements (pgbouncer before 1.21). */
export type ServerPlace = { readonly url: string; readonly poolSize: number; readonly prepared: boolean }

export type DatabaseOptions = {
  /** Where the data lives: a PostgreSQL server, a directory for the embedded database, or memory (tests). */
  readonly at: ServerPlace | EmbeddedPlace
  /** A statement that runs longer is cancelled; 0 is no limit. */
  readonly statementTimeoutMs: number
  /** How long to wait for a free connection. */
  readonly checkoutTimeoutMs?: number
  readonly warn: (message: string, details: Record<string, unknown>) => void
}

const usualCheckoutMs = 10_000
// What the server cancels it says at once: whoever hears nothing for this long after the limit has no line to it any more.
const graceMs = 2_000

/** Opens the database. The embedded engine starts at once in a thread of its own: load other modules meanwhile. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = { connectionTimeoutMillis: options.checkoutTimeoutMs ?? usualCheckoutMs, types: wireTypes }
  if ('url' in options.at) return openServer(options.at, options, pool)
  return (await openEmbedded(options.at, options, pool)).database
}

function openServer(at: ServerPlace, { statementTimeoutMs, warn }: DatabaseOptions, common: pg.PoolConfig): Database {
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

/** The limit goes with the connection's first message; a pooler refuses what it does not know there, so it is set after. */
function limited(statementTimeoutMs: number, isDirect: boolean): pg.PoolConfig {
  if (statementTimeoutMs === 0) return {}
  if (isDirect) return { statement_timeout: statementTimeoutMs }
  return { onConnect: (client) => client.query(`set statement_timeout = ${Math.round(statementTimeoutMs)}`) }
}
