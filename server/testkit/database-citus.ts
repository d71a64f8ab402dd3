// Databases for tests on Citus. Creating one on every node takes seconds, so a test gets one that an earlier test has left, in whichever
// process. Citus stays connected to all of them, so a lock claims one, where plain PostgreSQL renames it.
import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Database, splitCommands, type Transaction } from '../src/kernel/db/index.ts'
import { citusWorkers, DISTRIBUTE, shardsAt } from './citus.ts'
import { emptyAgain, type Survey, survey } from './database-reset.ts'
import type { FreshDatabase } from './fresh-database.ts'
import { drop, everywhere, listDatabases, open, urlOf } from './server-admin.ts'

/** The lock lasts as long as the connection that took it. */
const LOCK = 'select pg_try_advisory_lock(hashtextextended($1::text, 0)) as is_ours'
const COUNT_CLIENTS = `select count(*)::int as count from pg_stat_activity
  where datname = $1::text and backend_type = 'client backend' and application_name not like 'citus%'`

/** The distribution is part of what a template is. */
export const citusKey = (key: string): string =>
  `${key}c${createHash('sha256').update(DISTRIBUTE).digest('hex').slice(0, 8)}`

/** `untouched` has the survey of each node. */
type Lending = {
  readonly key: string
  readonly template: string
  readonly untouched: readonly Survey[]
  /** Whether its tables are distributed. */
  readonly isOwn: boolean
}
type Claim = { readonly name: string; release(): Promise<void> }

export async function createOnCitus(server: string, lending: Lending): Promise<FreshDatabase> {
  const { name, release } = (await claimLeft(server, lending)) ?? (await claimNew(server, lending))
  const url = urlOf(server, `/${name}`)
  const opened = await open(url, 8)
  const database = lending.isOwn ? commandByCommand(opened) : opened
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= database.close().finally(release)
    return closing
  }
  return { database: { ...database, close }, url, close }
}

/** Runs the commands of a script one by one, because workers refuse several in one message. One failure still undoes all of them. */
function commandByCommand(database: Database): Database {
  const scriptOn = (on: Pick<Transaction, 'script'>) => async (text: string) => {
    for (const command of splitCommands(text)) await on.script(command)
  }
  const transaction: Database['transaction'] = (work, options) =>
    database.transaction((tx) => work({ ...tx, script: scriptOn(tx) }), options)
  const script = (text: string) =>
    splitCommands(text).length > 1 ? transaction((tx) => tx.script(text)) : database.script(text)
  return { ...database, transaction, script }
}

/** Drops what earlier runs have left. Unlike plain PostgreSQL, a database that a test uses keeps its name. */
export async function dropLeft(server: string, name: string): Promise<void> {
  const claimed = await claim(server, name)
  if (claimed === undefined) return
  await drop(server, name).finally(() => claimed.release())
}

/** Of every node, in the order in which they are emptied. */
export const surveyNodes = (url: string): Promise<Survey[]> => onNodes(url, survey)

async function claimLeft(server: string, { key, untouched }: Lending): Promise<Claim | undefined> {
  const admin = await open(server, 1)
  const left = await listDatabases(admin, `tether_idle_${key}_`).finally(() => admin.close())
  for (const name of left) {
    const claimed = await claim(server, name)
    if (claimed === undefined) continue
    if (await emptyNodes(urlOf(server, `/${name}`), untouched).catch(() => false)) return claimed
    // A test changed the schema, or left too much.
    await drop(server, name).finally(claimed.release)
  }
  return undefined
}

async function claimNew(server: string, { key, template }: Lending): Promise<Claim> {
  const name = `tether_idle_${key}_${randomUUID().slice(0, 8)}`
  const claimed = await claim(server, name)
  if (claimed === undefined) throw new Error(`Another test took the database ${name} before it was there.`)
  await everywhere(server, `create database ${name} template ${template}`)
  return claimed
}

/** Undefined if another test has the database, or a program of an earlier test is still connected to it. */
async function claim(server: string, name: string): Promise<Claim | undefined> {
  // Idle, it does not keep the process of a test alive that fails before it closes its database.
  const session = new pg.Pool({ connectionString: server, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  const release = () => session.end()
  try {
    const [locked] = (await session.query<{ is_ours: boolean }>(LOCK, [name])).rows
    const [clients] = (await session.query<{ count: number }>(COUNT_CLIENTS, [name])).rows
    if (locked?.is_ours === true && clients?.count === 0) return { name, release }
  } catch (error) {
    await release()
    throw error
  }
  await release()
  return undefined
}

async function emptyNodes(url: string, untouched: readonly Survey[]): Promise<boolean> {
  const emptied = await onNodes(url, async (node, at) => {
    const own = untouched[at]
    return own !== undefined && (await emptyAgain(node, own))
  })
  return emptied.every(Boolean)
}

/** The database of this name at the coordinator, and then at each worker. */
function onNodes<Result>(url: string, work: (node: Database, at: number) => Promise<Result>): Promise<Result[]> {
  const { pathname } = new URL(url)
  const nodes = [url, ...citusWorkers().map((worker) => shardsAt(urlOf(worker, pathname)))]
  return Promise.all(
    nodes.map(async (node, at) => {
      const database = await open(node, 1)
      return await work(database, at).finally(() => database.close())
    }),
  )
}
