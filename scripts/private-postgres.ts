// A PostgreSQL server of our own: a private folder, a free port, gone when we are done. Needs Debian's `postgresql`.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'

export type PrivatePostgres = { readonly url: string; stop(): Promise<void> }

export type PostgresOptions = {
  /** Whether a commit waits for the disk. Tests create a database each, and do not need that. */
  readonly durable?: boolean
  /** A shared library without which the server is of no use, such as `citus`. */
  readonly library?: string
  /** Settings besides those below. */
  readonly settings?: Readonly<Record<string, string | number>>
}

/** Undefined where no server is installed, or none with the library. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PrivatePostgres | undefined> {
  const { durable = true, library, settings: more = {} } = options
  const bin = binariesWith(library)
  if (bin === undefined) return undefined
  const owner = serverUser()
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-postgres-'))
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = path.join(folder, 'data')
  execFileSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'tether', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    {
      stdio: 'ignore',
      cwd: folder,
      ...owner,
    },
  )
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
    // Dividing the tables of a database into 16 partitions each locks thousands of relations, in several test processes at once.
    max_locks_per_transaction: 512,
    // Autovacuum would change the catalogs of a database between two tests, and the next test would get a new one.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }),
    ...(library === undefined ? {} : { shared_preload_libraries: library }),
    ...more,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // A server that connects to others looks for certificates in the home of its user, which is not ours.
  const env = { ...process.env, HOME: folder }
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...args], {
    stdio: 'ignore',
    cwd: folder,
    env,
    ...owner,
  })
  const gone = new Promise<void>((resolve) => server.once('close', () => resolve()))
  const url = `postgres://tether@127.0.0.1:${port}/postgres`
  const stop = async () => {
    // A fast shutdown: whoever is still connected is thrown out.
    server.kill('SIGINT')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  await untilReady(path.join(bin, 'pg_isready'), port).catch(async (error) => {
    await stop()
    throw error
  })
  return { url, stop }
}

/** The programs of the newest installed server that has the library. */
const binariesWith = (library: string | undefined): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin')
    .filter((bin) => library === undefined || existsSync(path.join(bin, `../lib/${library}.so`)))
    .sort()
    .at(-1)

/** PostgreSQL refuses to run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function untilReady(isReady: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      execFileSync(isReady, ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error('The private PostgreSQL server did not come up within 60 s.')
}
