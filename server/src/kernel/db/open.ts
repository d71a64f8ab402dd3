import pg from 'pg'
import type { Database } from './database.ts'
import { type EmbeddedLocation, openEmbedded } from './embedded/open.ts'
import { clientOf, Hosts, requirePrimary } from './hosts.ts'
import { listenOnServer } from './listen.ts'
import { poolDatabase, type Unlimited } from './pool-database.ts'
import { wireTypes } from './wire-types.ts'

/** Set `prepared: false` behind a pooler that does not support prepared statements (pgbouncer before 1.21). */
export type ServerLocation = {
  readonly url: string
  /** Standbys of it: whichever takes writes is used. */
  readonly otherUrls?: readonly string[]
  /** Where notifications are heard, if that is not the same: a pooler hands them to somebody else. */
  readonly listenUrls?: readonly [string, ...string[]]
  readonly poolSize: number
  readonly prepared: boolean
}

export type DatabaseOptions = {
  /** Where the data is: on a PostgreSQL server, in a directory of the embedded database, or in memory (tests). */
  readonly at: ServerLocation | EmbeddedLocation
  /** A statement that runs longer is cancelled; 0 means no limit. */
  readonly statementTimeoutMs: number
  /** How long to wait for a free connection. */
  readonly checkoutTimeoutMs?: number
  readonly warn: (message: string, details: Record<string, unknown>) => void
  /** Good news, such as that a database that was away answers again. */
  readonly tell?: (message: string, details: Record<string, unknown>) => void
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
  { statementTimeoutMs, warn, tell }: DatabaseOptions,
  common: pg.PoolConfig,
): Database {
  const hosts = new Hosts([at.url, ...(at.otherUrls ?? [])])
  // A pooler in transaction mode would keep the limit for whoever has its connection next: there it is the role's.
  const limit = at.listenUrls === undefined ? limited(statementTimeoutMs, at.prepared) : {}
  const pool = new pg.Pool({
    ...common,
    connectionString: at.url,
    max: at.poolSize,
    application_name: 'tether',
    keepAlive: true,
    ...limit,
    ...(hosts.count > 1 ? toPrimary(hosts, limit.onConnect) : {}),
  })
  const unlimited: Unlimited = async (client, work) => {
    await client.query('set local statement_timeout = 0')
    return work()
  }
  const listen = listenOnServer(
    {
      hosts: new Hosts(at.listenUrls ?? [at.url, ...(at.otherUrls ?? [])]),
      application_name: 'tether listens',
      keepAlive: true,
      connectionTimeoutMillis: common.connectionTimeoutMillis,
    },
    warn,
  )
  const silentMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + graceMs
  const connect = () => hosts.tried(() => pool.connect())
  const voice = { warn, ...(tell === undefined ? {} : { tell }) }
  return poolDatabase({ engine: 'server', pool, connect, prepared: at.prepared, unlimited, listen, silentMs, ...voice })
    .database
}

const toPrimary = (hosts: Hosts, onConnect: pg.PoolConfig['onConnect']): pg.PoolConfig => ({
  Client: clientOf(hosts),
  async onConnect(client) {
    await requirePrimary(client)
    await onConnect?.(client)
  },
})

/**
 * A direct connection sends the limit in its first message. A pooler refuses unknown settings there, so we set it
 * after.
 */
function limited(statementTimeoutMs: number, isDirect: boolean): pg.PoolConfig {
  if (statementTimeoutMs === 0) return {}
  if (isDirect) return { statement_timeout: statementTimeoutMs }
  return { onConnect: (client) => client.query(`set statement_timeout = ${Math.round(statementTimeoutMs)}`) }
}
