import { randomUUID } from 'node:crypto'
import { type Database, migrate, openDatabase, unlisted } from '../src/kernel/db/index.ts'
import { citusWorkers, distribute, joinWorkers } from './citus.ts'
import { citusKey, createOnCitus, dropLeft, surveyNodes } from './database-citus.ts'
import { emptyAgain, type Survey, survey } from './database-reset.ts'
import type { Contents } from './database-snapshot.ts'
import { divide } from './divided.ts'
import { type FreshDatabase, LIMITS } from './fresh-database.ts'
import { drop, everywhere, listDatabases, open, shut, urlOf } from './server-admin.ts'

const findSurvey = unlisted<{ text: string }, { template: string }>(
  'testkit.find_survey',
  `select shobj_description(oid, 'pg_database') as text from pg_database where datname = $template::text`,
)

const forgottenAfterMs = 60 * 60 * 1000

// A pooler in transaction mode before the server: databases are made and dropped at the server, and used through the pooler.
const pooler = process.env.TEST_POOLER_URL
const canPrepare = process.env.TEST_POOLER_PREPARES === 'yes'

/** With the survey of each node; plain PostgreSQL has one. */
type Made = { readonly template: string; readonly untouched: readonly Survey[] }

let templates: Promise<Made> | undefined
let templateKey = ''

export type Template = Contents & {
  readonly partitions: number | undefined
  /** Whether these are the server's own migrations. Only their tables are distributed over Citus. */
  readonly isOwn: boolean
}

/**
 * A database with several connections: a used one, emptied, or a new clone of the migrated template. A clone takes the server several
 * times as long as emptying, and on partitions much longer. At the end it is left for the next test, in whichever process.
 */
export async function createOnServer(server: string, wanted: Template): Promise<FreshDatabase> {
  const key = keyOf(wanted)
  if (templates === undefined || templateKey !== key) {
    templateKey = key
    templates = migratedTemplate(server, { ...wanted, key })
  }
  const made = await templates
  if (citusWorkers().length > 0) return await createOnCitus(server, { key, isOwn: wanted.isOwn, ...made })
  const { template, untouched } = made
  const name = newName()
  const database = (await reuse(server, { key, name, untouched })) ?? (await clone(server, { template, name }))
  let closing: Promise<void> | undefined
  const giveBack = async (): Promise<void> => {
    await database.close()
    // Nobody gets a database that a program of this test is still connected to.
    if (!canLend || !(await rename(server, name, idleName(key)))) await drop(server, name)
  }
  const close = (): Promise<void> => {
    closing ??= giveBack()
    return closing
  }
  return { database: { ...database, close }, url: urlOf(server, `/${name}`), close }
}

function keyOf({ key, partitions }: Template): string {
  if (citusWorkers().length > 0) return citusKey(key)
  return partitions === undefined ? key : `${key}p${partitions}`
}

/** A pooler keeps connections that its clients have left. */
const canLend = pooler === undefined

const newName = (): string => `tether_test_${Date.now()}_${randomUUID().slice(0, 8)}`
const idleName = (key: string): string => `tether_idle_${key}_${randomUUID().slice(0, 8)}`

async function clone(server: string, { template, name }: { template: string; name: string }): Promise<Database> {
  await everywhere(server, `create database ${name} template ${template}`)
  const url = urlOf(server, `/${name}`)
  return pooler === undefined ? open(url, 8) : openPooled(url, urlOf(pooler, `/${name}`))
}

type Borrowing = { readonly key: string; readonly name: string; readonly untouched: readonly Survey[] }

async function reuse(server: string, { key, name, untouched }: Borrowing): Promise<Database | undefined> {
  if (!canLend) return undefined
  const admin = await open(server, 1)
  const idle = await listDatabases(admin, `tether_idle_${key}_`).finally(() => admin.close())
  for (const left of idle) {
    // Whoever renames it has it.
    if (!(await rename(server, left, name))) continue
    const database = await open(urlOf(server, `/${name}`), 8)
    const [own] = untouched
    if (own !== undefined && (await emptyAgain(database, own).catch(() => false))) return database
    // A test changed the schema, or filled the disk: such a database is nobody's.
    await database.close()
    await drop(server, name)
  }
  return undefined
}

/** False if it is gone, or if anybody stays connected to it: PostgreSQL itself waits five seconds for them to leave. */
const rename = (server: string, from: string, to: string): Promise<boolean> =>
  everywhere(server, `alter database ${from} rename to ${to}`).then(
    () => true,
    () => false,
  )

/** Made once for every set of migrations and left on the server for other test processes, with what an untouched one looks like. */
async function migratedTemplate(server: string, { key, ...wanted }: Template): Promise<Made> {
  const template = `tether_template_${key}`
  const admin = await open(server, 1)
  try {
    const found = await made(admin, template)
    if (found !== undefined) return found
    await dropForgotten(admin, server)
    const draft = newName()
    await everywhere(server, `create database ${draft}`)
    const untouched = await fill(urlOf(server, `/${draft}`), wanted)
    await everywhere(server, `comment on database ${draft} is '${JSON.stringify(untouched).replaceAll("'", "''")}'`)
    if (citusWorkers().length > 0) await shut(server, draft)
    // Renamed when it is complete; of two processes that made one at the same time, the second drops its own.
    const isFirst = await rename(server, draft, template)
    if (!isFirst) await drop(server, draft)
    const complete = await made(admin, template)
    if (complete === undefined)
      throw new Error(`The template ${template} could not be made at the server of the tests.`)
    return complete
  } finally {
    await admin.close()
  }
}

async function made(admin: Database, template: string): Promise<Made | undefined> {
  const text = (await admin.one(findSurvey, { template }))?.text
  return text === undefined ? undefined : { template, untouched: JSON.parse(text) }
}

async function fill(url: string, { migrations, place, partitions, isOwn }: Omit<Template, 'key'>): Promise<Survey[]> {
  const workers = citusWorkers()
  if (workers.length > 0) await everywhere(url, 'create extension citus')
  const database = await open(url, 1)
  try {
    if (workers.length > 0) await joinWorkers(database, url)
    await migrate(database, migrations)
    if (workers.length > 0 && isOwn) await distribute(database)
    else if (partitions !== undefined) await divide(database, partitions)
    await place?.(database)
    return workers.length > 0 ? await surveyNodes(url) : [await survey(database)]
  } finally {
    await database.close()
  }
}

/** What killed test runs left behind, and what runs with other migrations gave back. */
async function dropForgotten(admin: Database, server: string): Promise<void> {
  for (const name of await listDatabases(admin, 'tether_test_')) {
    const madeAt = Number(name.split('_')[2])
    if (Date.now() - madeAt > forgottenAfterMs) await drop(server, name)
  }
  // A run that still borrows these makes new ones.
  const dropIdle = citusWorkers().length > 0 ? dropLeft : drop
  for (const name of await listDatabases(admin, 'tether_idle_')) await dropIdle(server, name)
}

function openPooled(direct: string, pooled: string): Promise<Database> {
  return openDatabase({
    at: { url: pooled, listenUrls: [direct], poolSize: 8, prepared: canPrepare },
    ...LIMITS,
    warn: (message, details) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  })
}
