import { randomUUID } from 'node:crypto'
import { type Database, type Migration, migrate, openDatabase, unlisted } from '../src/foundation/db/index.ts'
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

/** A database cloned from a migrated template, with several connections; dropped at the end. */
export async function createOnServer(
  server: string,
  migrations: readonly Migration[],
  key: string,
): Promise<FreshDatabase> {
  if (templates === undefined || templateKey !== key) {
    templateKey = key
    templates = migratedTemplate(server, migrations, key)
  }
  const name = `tether_test_${Date.now()}_${randomUUID().slice(0, 8)}`
  await command(server, `create database ${name} template ${await templates}`)
  const url = urlOf(server, name)
  const database = await (pooler === undefined ? open(url, 8) : openPooled(url, urlOf(pooler, name)))
  let closing: Promise<void> | undefined
  const drop = async (): Promise<void> => {
    await database.close()
    await command(server, `drop database if exists ${name} with (force)`)
  }
  const close = (): Promise<void> => {
    closing ??= drop()
    return closing
  }
  return { database: { ...database, close }, url, close }
}

/** Made once for every set of migrations and left on the server for other test processes. */
async function migratedTemplate(server: string, migrations: readonly Migration[], key: string): Promise<string> {
  const template = `tether_template_${key}`
  const admin = await open(server, 1)
  try {
    if ((await admin.rows(listDatabases, { pattern: template })).length > 0) return template
    await dropForgotten(admin)
    const draft = `tether_test_${Date.now()}_${randomUUID().slice(0, 8)}`
    await admin.script(`create database ${draft}`)
    const database = await open(urlOf(server, draft), 1)
    await migrate(database, migrations).finally(() => database.close())
    // Renamed when it is complete; of two processes that made one at the same time, the second drops its own.
    await admin.script(`alter database ${draft} rename to ${template}`).catch(async (error: unknown) => {
      await admin.script(`drop database ${draft} with (force)`)
      if ((await admin.rows(listDatabases, { pattern: template })).length === 0) throw error
    })
    return template
  } finally {
    await admin.close()
  }
}

/** What killed test runs left behind. */
async function dropForgotten(admin: Database): Promise<void> {
  for (const { name } of await admin.rows(listDatabases, { pattern: 'tether\\_test\\_%' })) {
    const madeAt = Number(name.split('_')[2])
    if (Date.now() - madeAt > forgottenAfterMs) await admin.script(`drop database if exists ${name} with (force)`)
  }
}

async function command(server: string, text: string): Promise<void> {
  const admin = await open(server, 1)
  await admin.script(text).finally(() => admin.close())
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

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
