// Two PostgreSQL servers, a primary and its standby, of which the standby takes over when the primary is killed.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../scripts/free-port.ts'
import { startPostgres } from '../../../scripts/private-postgres.ts'
import { type Database, openDatabase, unlisted } from '../../src/kernel/db/index.ts'
import { start } from '../rig/start-file.ts'
import { pause } from './wait.ts'

export type Pair = {
  /** Of both hosts, as the service is given it. */
  readonly url: string
  /** Nothing more is sent to the standby: what is acknowledged from now on is on the primary alone. */
  fallBehind(): Promise<void>
  /** The primary is killed with all its children, and the standby promoted. Answers how long that took. */
  takeOver(): Promise<number>
  stop(): Promise<void>
}

const run = promisify(execFile)
const readServer = unlisted<{ directory: string; connections: string; locks: string }>(
  'proof.read_server',
  `select current_setting('data_directory') as directory, current_setting('max_connections') as connections,
     current_setting('max_locks_per_transaction') as locks`,
)
const readSenders = unlisted<{ pid: number; state: string }>(
  'proof.read_senders',
  `select pid, sync_state as state from pg_stat_replication where state = 'streaming'`,
)

type PairOptions = { readonly synchronous: boolean }

/** Undefined where no server is installed. */
export async function openPair({ synchronous }: PairOptions): Promise<Pair | undefined> {
  const primary = await startPostgres()
  if (primary === undefined) return undefined
  const admin = await open(primary.url)
  const { directory = '', connections, locks } = (await admin.one(readServer)) ?? {}
  await admin.script('create database card')
  const { bin, as, port: from } = serverIn(directory)
  const standby = path.join(path.dirname(directory), 'standby')
  const port = await freePort()
  const copied = ['-D', standby, '-h', '127.0.0.1', '-p', from, '-U', 'tether', '-R', '-X', 'stream', '-c', 'fast']
  execFileSync(path.join(bin, 'pg_basebackup'), copied, { ...as, stdio: 'ignore' })
  const at = ['-D', standby, '-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1']
  // PostgreSQL refuses to be the standby of a server with larger ones.
  const limits = ['-c', `max_connections=${connections}`, '-c', `max_locks_per_transaction=${locks}`]
  const words = [...at, ...limits, '-c', `unix_socket_directories=${path.dirname(directory)}`]
  const second = spawn(path.join(bin, 'postgres'), words, { ...as, stdio: 'ignore' })
  process.once('exit', () => second.kill('SIGKILL'))
  const senders = async () => await admin.rows(readSenders)
  const stop = async () => {
    await admin.close().catch(() => undefined)
    await ended(second)
    await primary.stop()
  }
  try {
    await until(async () => (await senders()).length === 1)
    if (synchronous) {
      await admin.script(`alter system set synchronous_standby_names = '*'`)
      await admin.script('select pg_reload_conf()')
      await until(async () => (await senders())[0]?.state === 'sync')
    }
  } catch (error) {
    await stop()
    throw error
  }
  const url = `postgres://tether@127.0.0.1:${from},127.0.0.1:${port}/card`
  await run(process.execPath, [start, 'migrate'], { env: { PATH: process.env.PATH, Database__Url: url } })
  return {
    url,
    async fallBehind() {
      // The one that sends: what the other has in its socket arrives anyway.
      for (const { pid } of await senders()) process.kill(pid, 'SIGSTOP')
    },
    async takeOver() {
      const killed = performance.now()
      killServer(directory)
      execFileSync(path.join(bin, 'pg_ctl'), ['promote', '-D', standby, '-w'], { ...as, stdio: 'ignore' })
      return performance.now() - killed
    },
    stop,
  }
}

const open = (url: string): Promise<Database> =>
  openDatabase({ at: { url, poolSize: 1, prepared: true }, statementTimeoutMs: 30_000, warn: () => undefined })

function serverIn(directory: string) {
  const { uid, gid } = statSync(directory)
  const options = readFileSync(path.join(directory, 'postmaster.opts'), 'utf8')
  return {
    bin: path.dirname(options.split(' ', 1)[0] ?? ''),
    port: /port=(\d+)/.exec(options)?.[1] ?? '',
    as: process.getuid?.() === 0 ? { uid, gid, cwd: path.dirname(directory) } : { cwd: path.dirname(directory) },
  }
}

/** Nobody is left to write anything, or to say goodbye. */
function killServer(directory: string): void {
  const postmaster = Number(readFileSync(path.join(directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number)
  for (const pid of [postmaster, ...children]) if (pid > 0) process.kill(pid, 'SIGKILL')
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const gone = new Promise((resolve) => server.once('close', resolve))
  server.kill('SIGINT')
  await gone
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await holds()) return
    await pause(50)
  }
  throw new Error('The standby did not follow within 30 s.')
}
