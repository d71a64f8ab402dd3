// PgBouncer of our own in front of a PostgreSQL server, in transaction mode: a private folder, a free port, gone when we are done.
// Needs Debian's `pgbouncer`.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'

export type PrivatePgbouncer = {
  readonly url: string
  /** Of `1.21` and later: statements may be prepared by name. */
  readonly canPrepare: boolean
  /** The databases that clients came to, by the log. */
  clientsOf(): readonly string[]
  stop(): Promise<void>
}

const PROGRAM = process.env.PGBOUNCER ?? 'pgbouncer'

/** Undefined where it is not installed. */
export async function startPgbouncer(server: string): Promise<PrivatePgbouncer | undefined> {
  const version = versionOf()
  if (version === undefined) return undefined
  const canPrepare = version[0] > 1 || version[1] >= 21
  const { hostname, port: serverPort, username } = new URL(server)
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-pgbouncer-'))
  const port = await freePort()
  const log = path.join(folder, 'log')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    `unix_socket_dir =`,
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 1000',
    'default_pool_size = 5',
    `logfile = ${log}`,
    ...(canPrepare ? ['max_prepared_statements = 600'] : []),
  ]
  const settings = path.join(folder, 'pgbouncer.ini')
  writeFileSync(settings, `${lines.join('\n')}\n`)
  // It refuses to run as root, as PostgreSQL does.
  const owner = process.getuid?.() === 0 ? ownerOf() : undefined
  if (owner !== undefined) for (const one of [folder, settings]) chownSync(one, owner.uid, owner.gid)
  const child = spawn(PROGRAM, [settings], { stdio: 'ignore', cwd: folder, ...owner })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  await untilListening(port).catch(async (error) => {
    await stop()
    throw error
  })
  return {
    url: `postgres://${username}@127.0.0.1:${port}/postgres`,
    canPrepare,
    clientsOf: () => [...readFileSync(log, 'utf8').matchAll(/login attempt: db=(\S+)/g)].map(([, name = '']) => name),
    stop,
  }
}

function versionOf(): [number, number] | undefined {
  try {
    const text = execFileSync(PROGRAM, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(text) ?? []
    return [Number(major), Number(minor)]
  } catch {
    return undefined
  }
}

function ownerOf(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The private PgBouncer did not come up within 60 s.')
}
