// Is row-level security free on the hot paths? Three statements, each alone, as the service sends them, against the same under
// policies, by a role that owns nothing, in every way of saying which tenant asks. It decides docs/decisions/row-level-security.md.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { sha256 } from '../server/src/foundation/crypto/index.ts'
import { type DatabaseOptions, openDatabase } from '../server/src/foundation/db/index.ts'
import { findTenant } from '../server/src/ground/tenants/queries.ts'
import { openEmbeddedPool } from './parts/embedded-pool.ts'
import { findCredential } from './parts/key-query.ts'
import { benchServer, command, NO_SERVER, withDatabases } from './parts/postgres.ts'
import { type Result, say } from './parts/report.ts'
import { type Candidate, median, ratioOf, takeTurns } from './parts/rounds.ts'
import {
  alone,
  type Call,
  inOneBatch,
  inOneText,
  inPipeline,
  inTransaction,
  onSession,
  pinSession,
  type Way,
  wallSql,
} from './parts/walled.ts'
import { fillWithKeys, keyText } from './parts/workspaces.ts'

const keys = 1_000
const inFlight = 32
const sliceMs = 100
const rounds = 10
const warmUpRounds = 2

const WAYS: Readonly<Record<string, Way>> = {
  'begin, set, statement, commit': inTransaction,
  'the same four in a pipeline': inPipeline,
  'set for the session, statement': onSession,
  'both in one simple text': inOneText,
  'both in one batch': inOneBatch,
}
const ALONE = 'alone'
/** Each connection serves one tenant for ever: no way to run a service, but it tells what the policies themselves cost. */
const POLICY_ALONE = 'a session for each tenant'
const TENANT = 1
const STRANGER = 2

const insert = `with made as (
    insert into keys (tenant_id, hash, prefix, kind) values ($1::int, $2::bytea, $3::text, 'secret')
    returning tenant_id, prefix, kind
  ), announced as (
    insert into account_events (tenant_id, type, key_prefix, detail) select tenant_id, 'key.issued', prefix, kind from made
  ) select prefix from made`

const CALLS: Readonly<Record<string, (tenantId: number) => Call>> = {
  'key lookup': (tenantId) => ({
    tenantId,
    statement: { ...findCredential, values: [sha256(keyText(tenantId))] },
  }),
  'read by primary key': (tenantId) => ({ tenantId, statement: { ...findTenant, values: [tenantId] } }),
  'insert with its event': (tenantId) => {
    const values = [tenantId, randomBytes(32), randomBytes(6).toString('hex')]
    return { tenantId, statement: { name: 'bench.insert', text: insert, values } }
  },
}

/** One database, two roles: its owner, whom the policies do not bind, and a role that owns nothing. */
type Sides = {
  readonly open: pg.Pool
  readonly walled: pg.Pool
  /** For the embedded engine, which has one session for both. */
  become(role: 'owner' | 'other'): Promise<unknown>
}

async function onServer(url: string): Promise<Result[]> {
  const role = `tether_bench_${randomBytes(6).toString('hex')}`
  const compare = async ([own = '']: string[]): Promise<Result[]> => {
    await fill({ url: own, poolSize: 1, prepared: true }, role)
    const sides = {
      open: poolOn({ connectionString: own }),
      walled: poolOn({ connectionString: own, options: `-c role=${role}`, pipeline: true }),
      become: async () => undefined,
    }
    try {
      return await measure('PostgreSQL', sides)
    } finally {
      await Promise.all([sides.open.end(), sides.walled.end()])
    }
  }
  try {
    return await withDatabases(url, 1, compare)
  } finally {
    await command(url, `drop role if exists ${role}`)
  }
}

/** As large as the service's own. That its database is dropped before the last connection has ended is no error. */
const poolOn = (config: pg.PoolConfig): pg.Pool => new pg.Pool({ ...config, max: 10 }).on('error', () => undefined)

async function onEmbedded(): Promise<Result[]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'tether-bench-'))
  try {
    await fill({ directory }, 'tether_bench')
    const { pool, close } = await openEmbeddedPool(directory, { pipeline: true })
    const become: Sides['become'] = (role) => pool.query(role === 'owner' ? 'reset role' : 'set role tether_bench')
    return await measure('embedded', { open: pool, walled: pool, become }).finally(close)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function fill(at: DatabaseOptions['at'], role: string): Promise<void> {
  const database = await openDatabase({ at, statementTimeoutMs: 0, warn: console.error })
  await fillWithKeys(database, keys)
  await database.script(wallSql(role))
  await database.close()
}

async function measure(engine: string, sides: Sides): Promise<Result[]> {
  const results: Result[] = []
  for (const [what, make] of Object.entries(CALLS)) {
    await mustBeWalled(sides, make)
    const took = await takeTurns(candidatesFor(sides, make), { rounds, warmUpRounds })
    const aloneTook = took[ALONE] ?? []
    for (const [name, wayTook] of Object.entries(took)) {
      if (name === ALONE) continue
      const figures = { perSecond: Math.round(median(wayTook)), alonePerSecond: Math.round(median(aloneTook)) }
      results.push({ what: `${engine}, ${what}: ${name}`, ...ratioOf(wayTook, aloneTook), figures })
    }
  }
  return results
}

function candidatesFor({ open, walled, become }: Sides, make: (tenantId: number) => Call): Record<string, Candidate> {
  const asOther = () => become('other')
  const ways = Object.entries(WAYS).map(([name, way]): [string, Candidate] => [
    name,
    slice(asOther, () => way(walled, make(TENANT))),
  ])
  return {
    [ALONE]: slice(
      () => become('owner'),
      () => alone(open, make(TENANT)),
    ),
    ...Object.fromEntries(ways),
    [POLICY_ALONE]: slice(
      async () => {
        await become('other')
        await pinSession(walled, TENANT)
      },
      () => alone(walled, make(TENANT)),
    ),
  }
}

/** Keeps so many calls under way for the length of a slice. */
function slice(before: () => Promise<unknown>, one: () => Promise<number>): Candidate {
  return async () => {
    await before()
    const started = performance.now()
    let done = 0
    const worker = async (): Promise<void> => {
      while (performance.now() - started < sliceMs) {
        if ((await one()) !== 1) throw new Error('A call found nothing: the figure would be that of a mistake.')
        done += 1
      }
    }
    await Promise.all(Array.from({ length: inFlight }, worker))
    return (done / (performance.now() - started)) * 1000
  }
}

/** What is measured is a wall: the tenant itself gets through each way, another one does not. */
async function mustBeWalled({ walled, become }: Sides, make: (tenantId: number) => Call): Promise<void> {
  for (const [name, way] of Object.entries(WAYS)) {
    await become('other')
    const own = await way(walled, make(TENANT))
    const stranger = await way(walled, { ...make(TENANT), tenantId: STRANGER }).catch(refusedRows)
    if (own !== 1 || stranger !== 0)
      throw new Error(`No wall: "${name}" gave ${own} rows, and ${stranger} to a stranger.`)
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** A row that the policy does not let in is an error. */
function refusedRows(error: unknown): number {
  if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) return 0
  throw error
}

const server = benchServer()
say({
  bench: 'row-level-security',
  promise: 'None: it decides whether policies are a second wall',
  results: [...(server === undefined ? [] : await onServer(server)), ...(await onEmbedded())],
  ...(server === undefined ? { skipped: NO_SERVER } : {}),
})
