import { randomUUID } from 'node:crypto'
import { type Database, type Migration, migrate, openDatabase, unlisted } from '../src/foundation/db/index.ts'
import { citusWorkers, distribute, joinWorkers } from './citus.ts'
import { divide } from './divided.ts'
import type { FreshDatabase } from './fresh-database.ts'

const listDatabases = unlisted<{ name: string }, { pattern: string }>(
  'testkit.list_databases',
  'select datname::text as name from pg_database where datname like $pattern::text',
)

const forgottenAfterMs = 60 * 60 * 1000

// A pooler in transaction mode before the server: databases are made and dropped at the server, and used through the pooler.
const pooler = process.env.TEST_POOLER_URL
const canPrepare = process.env.TEST_POOLER_PREPARES === 'yes'

let templates: Promise<string> | undefined
let templateKey = ''

export type Template = {
  readonly migrations: readonly Migration[]
  readonly key: string
  readonly partitions: number | undefined
}

/** A database cloned from a migrated template, with several connections; dropped at the end. */
export async function createOnServer(server: string, wanted: Template): Promise<FreshDatabase> {
  const key = wanted.partitions === undefined ? wanted.key : `${wanted.key}_p${wanted.partitions}`
  if (templates === undefined || templateKey !== key) {
    templateKey = key
    templates = migratedTemplate(server, { ...wanted, key })
  }
  const name = `tether_test_${Date.now()}_${randomUUID().slice(0, 8)}`
  await everywhere(server, `create database ${name} template ${await templates}`)
  const url = urlOf(server, `/${name}`)
  const database = await (pooler === undefined ? open(url, 8) : openPooled(url, urlOf(pooler, `/${name}`)))
  let closing: Promise<void> | undefined
  const drop = async (): Promise<void> => {
    await database.close()
    await everywhere(server, `drop database if exists ${name} with (force)`)
  }
  const close = (): Promise<void> => {
    closing ??= drop()
    return closing
  }
  return { database: { ...database, close }, url, close }
}

/** Made once for every set of migrations and left on the server for other test processes. */
async function migratedTemplate(server: string, { migrations, key, partitions }: Template): Promise<string> {
  const template = `tether_template_${key}`
  const admin = await open(server, 1)
  try {
    if ((await admin.rows(listDatabases, { pattern: template })).length > 0) return template
    await dropForgotten(admin, server)
    const draft = `tether_test_${Date.now()}_${randomUUID().slice(0, 8)}`
    await everywhere(server, `create database ${draft}`)
    await fill(urlOf(server, `/${draft}`), { migrations, partitions })
    if (citusWorkers().length > 0) await shut(server, draft)
    // Renamed when it is complete; of two processes that made one at the same time, the second drops its own.
    await everywhere(server, `alter database ${draft} rename to ${template}`).catch(async (error: unknown) => {
      await everywhere(server, `drop database if exists ${draft} with (force)`)
      if ((await admin.rows(listDatabases, { pattern: template })).length === 0) throw error
    })
    return template
  } finally {
    await admin.close()
  }
}

async function fill(
  url: string,
  { migrations, partitions }: Pick<Template, 'migrations' | 'partitions'>,
): Promise<void> {
  const workers = citusWorkers()
  if (workers.length > 0) await everywhere(url, 'create extension citus')
  const database = await open(url, 1)
  try {
    if (workers.length > 0) await joinWorkers(database, url)
    await migrate(database, migrations)
    if (workers.length > 0) await distribute(database)
    else if (partitions !== undefined) await divide(database, partitions)
  } finally {
    await database.close()
  }
}

/** Citus keeps a daemon in every database, and one that somebody is connected to can be neither renamed nor copied. */
async function shut(server: string, database: string): Promise<void> {
  await everywhere(server, `alter database ${database} with allow_connections false`)
  await everywhere(server, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`)
}

/** What killed test runs left behind. */
async function dropForgotten(admin: Database, server: string): Promise<void> {
  for (const { name } of await admin.rows(listDatabases, { pattern: 'tether\\_test\\_%' })) {
    const madeAt = Number(name.split('_')[2])
    if (Date.now() - madeAt > forgottenAfterMs) await everywhere(server, `drop database if exists ${name} with (force)`)
  }
}

/** On every node, in the database of the same name. */
async function everywhere(server: string, text: string): Promise<void> {
  const { pathname } = new URL(server)
  for (const node of [server, ...citusWorkers()]) {
    const admin = await open(urlOf(node, pathname), 1)
    await admin.script(text).finally(() => admin.close())
  }
}

function open(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    at: { url, poolSize, prepared: true },
    statementTimeoutMs: 30_000,
    warn: (message, details) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  })
}

function openPooled(direct: string, pooled: string): Promise<Database> {
  return openDatabase({
    at: { url: pooled, listenUrls: [direct], poolSize: 8, prepared: canPrepare },
    statementTimeoutMs: 30_000,
    warn: (message, details) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  })
}

function urlOf(server: string, pathname: string): string {
  const url = new URL(server)
  url.pathname = pathname
  return url.href
}
