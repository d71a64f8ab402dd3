// A PostgreSQL server whose power can be cut: `pg_ctl stop -m immediate`, then started again on what is on the disk.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { startCitus } from '../../../scripts/private-citus.ts'
import { startPostgres } from '../../../scripts/private-postgres.ts'
import { type Database, openDatabase, unlisted } from '../../src/kernel/db/index.ts'
import { serverUrls } from '../../src/kernel/settings/index.ts'
import { distribute, joinWorkers } from '../../testkit/citus.ts'
import { everywhere, shut } from '../../testkit/server-admin.ts'
import { start } from '../rig/start-file.ts'
import { pause } from './wait.ts'

export type CardPostgres = {
  /** A migrated database of its own; answers its address. */
  database(name: string): Promise<string>
  /** Every connection breaks, nothing is written down any more, and the server comes up on what was. */
  cutPower(): Promise<void>
  stop(): Promise<void>
}

const run = promisify(execFile)
const dataDirectory = unlisted<{ directory: string }>(
  'proof.data_directory',
  `select current_setting('data_directory') as directory`,
)

/** Whether the proofs run on Citus: `PROVE_ON=citus npm run prove -- card instances`. */
export const isOnCitus = process.env.PROVE_ON === 'citus'

/** Undefined where no server is installed. */
export const openPostgres = (): Promise<CardPostgres | undefined> => (isOnCitus ? openCitus() : openPlain())

async function openPlain(): Promise<CardPostgres | undefined> {
  const own = await startPostgres()
  if (own === undefined) return undefined
  const onServer = async <Result>(work: (admin: Database) => Promise<Result>): Promise<Result> => {
    const admin = await openChecked(own.url)
    return await work(admin).finally(() => admin.close())
  }
  const directory = await directoryOf(own.url)
  const template = 'card_template'
  await onServer((admin) => admin.script(`create database ${template}`))
  await migrateAt(named(own.url, template))
  let restarted: ChildProcess | undefined
  return {
    async database(name) {
      await onServer((admin) => admin.script(`create database ${name} template ${template}`))
      return named(own.url, name)
    },
    async cutPower() {
      restarted = await restart(directory)
    },
    async stop() {
      if (restarted !== undefined) await stopped(restarted)
      await own.stop()
    },
  }
}

/** A coordinator and two workers. The power fails at all of them at once. */
async function openCitus(): Promise<CardPostgres | undefined> {
  const own = await startCitus()
  if (own === undefined) return undefined
  const { url, workers } = own
  const template = 'card_template'
  await everywhere(url, `create database ${template}`, workers)
  await fillOnCitus(named(url, template), workers)
  await shut(url, template, workers)
  const directories = await Promise.all([url, ...workers].map(directoryOf))
  let restarted: readonly ChildProcess[] = []
  return {
    async database(name) {
      await everywhere(url, `create database ${name} template ${template}`, workers)
      return named(url, name)
    },
    async cutPower() {
      restarted = await Promise.all(directories.map(restart))
    },
    async stop() {
      await Promise.all(restarted.map(stopped))
      await own.stop()
    },
  }
}

/** Migrates and distributes a database that every node already has. */
export async function fillOnCitus(url: string, workers: readonly string[]): Promise<void> {
  await everywhere(url, 'create extension citus', workers)
  const db = await openChecked(url)
  try {
    await joinWorkers(db, url, workers)
    await migrateAt(url)
    await distribute(db)
  } finally {
    await db.close()
  }
}

async function directoryOf(url: string): Promise<string> {
  const db = await openChecked(url)
  return (await db.one(dataDirectory).finally(() => db.close()))?.directory ?? ''
}

const migrateAt = (url: string) =>
  run(process.execPath, [start, 'migrate'], { env: { PATH: process.env.PATH, Database__Url: url } })

async function stopped(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const gone = new Promise((resolve) => server.once('close', resolve))
  server.kill('SIGINT')
  await gone
}

/** The database as this proof itself looks at it. */
export function openChecked(address: string): Promise<Database> {
  const [url, ...otherUrls] = serverUrls(address)
  const at = { url, otherUrls, poolSize: 2, prepared: true }
  return openDatabase({ at, statementTimeoutMs: 60_000, warn: () => undefined })
}

function named(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

async function restart(directory: string): Promise<ChildProcess> {
  const { uid, gid } = statSync(directory)
  const as = process.getuid?.() === 0 ? { uid, gid, cwd: directory } : { cwd: directory }
  // The line that it was started with, as it wrote it down itself.
  const [program = '', ...words] = readFileSync(path.join(directory, 'postmaster.opts'), 'utf8').trim().split(' "')
  const args = words.map((word) => word.replace(/"$/, ''))
  const bin = path.dirname(program)
  execFileSync(path.join(bin, 'pg_ctl'), ['stop', '-D', directory, '-m', 'immediate', '-w'], { ...as, stdio: 'ignore' })
  const server = spawn(program, args, { ...as, stdio: 'ignore' })
  process.once('exit', () => server.kill('SIGKILL'))
  const port = args.find((word) => word.startsWith('port='))?.slice(5) ?? ''
  for (let attempt = 0; attempt < 200; attempt++) {
    const isUp = await run(path.join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', port]).then(
      () => true,
      () => false,
    )
    if (isUp) return server
    await pause(50)
  }
  throw new Error('PostgreSQL did not come up again within 10 s of the power cut.')
}
