// How soon `npm start` answers: from the start of the process to the first 200 of `/health`, as a ratio to a process that only
// opens the same database and asks it `select 1`. As a newcomer starts it: Development, embedded, on nothing or on their data.
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Child, freePort, healthy, startNode } from './parts/child.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, shuffled } from './parts/rounds.ts'

const mostPairs = 9
const fewestPairs = 2
// A slow machine gets fewer pairs: an empty directory alone may take seconds.
const enoughMs = 20_000
const pollMs = 2

type Start = { readonly child: Child; readonly milliseconds: number }
type Starter = (directory: string) => Promise<Start>

const starters = {
  async service(directory) {
    const port = await freePort()
    const started = performance.now()
    const env = { Database__DataDirectory: directory, Http__Port: String(port) }
    const child = startNode('server/start.mjs', ['serve'], { env })
    await healthy(port, pollMs)
    return { child, milliseconds: performance.now() - started }
  },
  async database(directory) {
    const started = performance.now()
    const child = startNode('bench/parts/open-database.ts', [directory], { stdout: 'pipe' })
    if (child.process.stdout !== null) await once(child.process.stdout, 'data')
    return { child, milliseconds: performance.now() - started }
  },
} satisfies Record<string, Starter>
type Name = keyof typeof starters

const folder = await mkdtemp(path.join(os.tmpdir(), 'tether-bench-'))

function onNothing(): Promise<Result> {
  return alternate('empty directory', async (name, pair) => {
    const directory = path.join(folder, `${name}-${pair}`)
    const took = await timed(name, directory)
    await rm(directory, { recursive: true, force: true })
    return took
  })
}

async function onData(): Promise<Result> {
  const directories = { service: path.join(folder, 'kept'), database: path.join(folder, 'copy') }
  await timed('service', directories.service)
  await cp(directories.service, directories.database, { recursive: true })
  return await alternate('existing directory', (name) => timed(name, directories[name]))
}

async function timed(name: Name, directory: string): Promise<number> {
  const { child, milliseconds } = await starters[name](directory)
  await child.stop()
  return milliseconds
}

async function alternate(what: string, take: (name: Name, pair: number) => Promise<number>): Promise<Result> {
  const took: Record<Name, number[]> = { service: [], database: [] }
  const until = performance.now() + enoughMs
  let pair = 0
  for (; pair < fewestPairs || (pair < mostPairs && performance.now() < until); pair++) {
    for (const name of shuffled(['service', 'database'] as const)) took[name].push(await take(name, pair))
  }
  return judged(
    what,
    ratioOf(took.service, took.database),
    { atMost: 1.5 },
    {
      serviceMs: Math.round(median(took.service)),
      databaseMs: Math.round(median(took.database)),
      pairs: pair,
    },
  )
}

try {
  say({
    bench: 'cold-start',
    promise: 'The service answers within 1.5 times the time that opening its database takes',
    results: [await onNothing(), await onData()],
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}
