// How soon `npm start` answers: from the start of the process to the first 200 of `/health`, as a ratio to a process that only
// opens the same database and asks it `select 1`. As a newcomer starts it: Development, embedded, on nothing or on their data;
// from the sources, and on their data from the bundle, too, which production runs. The service keeps compiled code from start to
// start and that process does not; two rows without a bound say what remains of the ratios when it does.
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buildServer } from '../scripts/build-server.ts'
import { type Child, freePort, healthy, startNode } from './parts/child.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, shuffled } from './parts/rounds.ts'
import { roundsToTake } from './parts/scale.ts'

const { rounds: mostRounds } = roundsToTake({ rounds: 9, warmUpRounds: 0 })
const fewestRounds = Math.min(2, mostRounds)
// A slow machine gets fewer rounds: an empty directory alone may take seconds.
const enoughMs = 25_000
const pollMs = 2

type Start = { readonly child: Child; readonly milliseconds: number }
type Starter = (directory: string) => Promise<Start>

const folder = await mkdtemp(path.join(os.tmpdir(), 'tether-bench-'))
const built = path.join(folder, 'built')

const starters = {
  sources: (directory) => startService('server/start.mjs', directory),
  bundle: (directory) => startService(path.join(built, 'server/start.mjs'), directory),
  database: (directory) => startDatabase(directory, {}),
  compiled: (directory) => startDatabase(directory, { NODE_COMPILE_CACHE: path.join(folder, 'compiled') }),
} satisfies Record<string, Starter>
type Name = keyof typeof starters
type Took = Readonly<Record<Name, number[]>>

async function startService(file: string, directory: string): Promise<Start> {
  const port = await freePort()
  const started = performance.now()
  const env = { Database__DataDirectory: directory, Http__Port: String(port) }
  const child = startNode(file, ['serve'], { env })
  await healthy(port, pollMs)
  return { child, milliseconds: performance.now() - started }
}

async function startDatabase(directory: string, env: Readonly<Record<string, string>>): Promise<Start> {
  const started = performance.now()
  const child = startNode('bench/parts/open-database.ts', [directory], { env, stdout: 'pipe' })
  if (child.process.stdout !== null) await once(child.process.stdout, 'data')
  return { child, milliseconds: performance.now() - started }
}

async function onNothing(): Promise<Result[]> {
  const took = await alternate(['sources', 'database'], async (name, round) => {
    const directory = path.join(folder, `${name}-${round}`)
    const milliseconds = await timed(name, directory)
    await rm(directory, { recursive: true, force: true })
    return milliseconds
  })
  return [held('empty directory', took, 'sources', 1.5)]
}

async function onData(): Promise<Result[]> {
  await buildServer(built)
  const directoryOf = (name: Name) => path.join(folder, `kept-${name}`)
  await timed('sources', directoryOf('sources'))
  for (const name of ['bundle', 'database', 'compiled'] as const)
    await cp(directoryOf('sources'), directoryOf(name), { recursive: true })
  // What the sources compiled is kept since the rows above.
  for (const name of ['bundle', 'compiled'] as const) await timed(name, directoryOf(name))
  const took = await alternate(['sources', 'bundle', 'database', 'compiled'], (name) => timed(name, directoryOf(name)))
  return [
    held('existing directory', took, 'sources', 1.5),
    held('existing directory, bundle', took, 'bundle', 1.3),
    ...(['sources', 'bundle'] as const).map((name) => ({
      what: `existing directory, ${name} to compiled`,
      ...ratioOf(took[name], took.compiled),
      figures: { compiledDatabaseMs: Math.round(median(took.compiled)) },
    })),
  ]
}

async function timed(name: Name, directory: string): Promise<number> {
  const { child, milliseconds } = await starters[name](directory)
  await child.stop()
  return milliseconds
}

/** Each name once in a round, in an order of its own. */
async function alternate(names: readonly Name[], take: (name: Name, round: number) => Promise<number>): Promise<Took> {
  const took: Took = { sources: [], bundle: [], database: [], compiled: [] }
  const until = performance.now() + enoughMs
  for (let round = 0; round < fewestRounds || (round < mostRounds && performance.now() < until); round++) {
    for (const name of shuffled(names)) took[name].push(await take(name, round))
  }
  return took
}

const held = (what: string, took: Took, name: Name, atMost: number): Result =>
  judged(
    what,
    ratioOf(took[name], took.database),
    { atMost },
    {
      serviceMs: Math.round(median(took[name])),
      databaseMs: Math.round(median(took.database)),
      rounds: took.database.length,
    },
  )

try {
  say({
    bench: 'cold-start',
    promise:
      'The service answers within 1.5 times the time that opening its database takes, and 1.3 times from the bundle',
    results: [...(await onNothing()), ...(await onData())],
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}
