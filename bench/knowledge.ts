// What looking up costs: in a full workspace (20 documents of 50,000 characters) that is in memory and that is not, and in a
// workspace of one document that is not, beside 10 other such workspaces and beside 10,000 in the same tables.
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Database, openDatabase, unlisted } from '../server/src/kernel/db/index.ts'
import { openMetrics } from '../server/src/kernel/metrics/index.ts'
import { loadSettings, type Settings } from '../server/src/kernel/settings/index.ts'
import { findByWords, openLibrary, putDocument } from '../server/src/talk/knowledge/index.ts'
import type { Context } from '../server/src/tenancy/context/index.ts'
import { benchServer, NO_SERVER, withDatabases } from './parts/postgres.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, rounded } from './parts/rounds.ts'
import { repeated, sized } from './parts/scale.ts'
import { fillWithKeys } from './parts/workspaces.ts'
import { randomFrom } from './retrieval/random.ts'

const DOCUMENTS = sized(20)
const CHARS = sized(50_000, 1_000)
/** Of the workspaces with one document, most of which are small. */
const SMALL = 5_000
const MANY = sized(10_000)
const FEW = 10
const ROUNDS = repeated(60)
const FULL = 1

const random = randomFrom(1)
const letters = 'abcdefghijklmnopqrstuvwxyz'
const vocabulary = Array.from({ length: 6000 }, () =>
  Array.from({ length: 3 + Math.floor(random.next() * 8) }, () => random.pick([...letters]) ?? '').join(''),
)
/** Few words often and many seldom, as in any language. */
const word = (): string => vocabulary[Math.floor(vocabulary.length * random.next() ** 3)] ?? ''
function prose(chars: number): string {
  let text = ''
  while (text.length < chars)
    text += `${Array.from({ length: 12 }, word).join(' ')}.${random.next() < 0.15 ? '\n\n' : ' '}`
  return text.slice(0, chars)
}

const versionOf = unlisted<{ version: number }, { tenantId: number }>(
  'bench.knowledge_version',
  'select knowledge_version as version from tenants where tenant_id = $tenantId::int',
)
const copies = (from: number, to: number): string => `
  insert into knowledge_documents (tenant_id, name, format, text, chars, chunks, segment, version)
    select i, name, format, text, chars, chunks, segment, 1 from knowledge_documents, generate_series(${from}, ${to}) as i
     where tenant_id = 2;
  update tenants set knowledge_version = 1 where tenant_id between ${from} and ${to};
  analyze knowledge_documents`

function settingsOf(): Settings {
  const loaded = loadSettings({
    env: { Encryption__Key: Buffer.alloc(32, 1).toString('base64') },
    readFile: () => '{}',
  })
  if (!loaded.ok) throw new Error(loaded.faults.map(({ message }) => message).join('\n'))
  return loaded.settings
}

async function measure(what: string, db: Database, small: Database): Promise<Result[]> {
  const settings = settingsOf()
  await fillWithKeys(db, MANY + 2)
  await fillWithKeys(small, FEW + 2)
  // The cast is true for what these verbs read of a context.
  const contextOf = (tenantId: number, knowledgeVersion: number, at = db) =>
    ({ db: at, settings, asking: { tenantId, wiring: { knowledgeVersion } } }) as unknown as Context
  const question = (): string => Array.from({ length: 9 }, word).join(' ')
  const search = async (library: ReturnType<typeof openLibrary>, ctx: Context): Promise<number> => {
    const text = question()
    const started = performance.now()
    findByWords(await library.of(ctx), text, { least: 0.3, limit: 5 })
    return performance.now() - started
  }
  const timed = async (one: () => Promise<number>): Promise<number[]> => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS + FEW; round++) {
      const took = await one()
      if (round >= FEW) times.push(took)
    }
    return times
  }
  const fresh = () => openLibrary({ settings, metrics: openMetrics() })
  for (let at = 0; at < DOCUMENTS; at++) await putDocument(contextOf(FULL, 0), { name: `d${at}`, text: prose(CHARS) })
  const full = contextOf(FULL, (await db.one(versionOf, { tenantId: FULL }))?.version ?? 0)
  const warm = fresh()
  // Nothing is waited for here, so what counts is the processor's time, however busy the machine is.
  const cached = await timed(async () => {
    const before = process.cpuUsage()
    await search(warm, full)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  const cold = await timed(() => search(fresh(), full))
  // Ten workspaces of each database in turn, with an empty memory of ours and a warm one of the database's: what is compared is
  // the way to a row. Both are asked in every round, because the machine may be slow for a while.
  const document = { name: 'one', text: prose(SMALL) }
  for (const at of [db, small]) await putDocument(contextOf(2, 0, at), { ...document, replace: true })
  await db.transaction((tx) => tx.script(copies(3, 2 + MANY)), { unlimited: true })
  await small.transaction((tx) => tx.script(copies(3, 2 + FEW)), { unlimited: true })
  const [few, many]: [number[], number[]] = [[], []]
  for (let round = -FEW; round < ROUNDS; round++) {
    const at = (round + FEW) % FEW
    const [fewMs, manyMs] = [
      await search(fresh(), contextOf(3 + at, 1, small)),
      await search(fresh(), contextOf(3 + Math.floor(((at + 0.5) * MANY) / FEW), 1)),
    ]
    if (round >= 0) few.push(fewMs)
    if (round >= 0) many.push(manyMs)
  }
  const ratio = rounded(median(many) / median(few))
  const ms = (times: readonly number[]): number => rounded(median(times))
  return [
    judged(
      `${what}, a full workspace in memory, ms of the processor`,
      single(ms(cached)),
      { atMost: 5 },
      { worst: rounded(Math.max(...cached)) },
    ),
    { what: `${what}, a full workspace that is not, ms`, ...single(ms(cold)) },
    judged(
      `${what}, one document beside ${MANY} workspaces to beside ${FEW}`,
      single(ratio),
      { atMost: 1.25 },
      { fewMs: ms(few), manyMs: ms(many) },
    ),
  ]
}

const single = (value: number) => ({ ratio: value, quartiles: [value, value] as const })

const warn = (message: string) => console.error(message)

async function onEmbedded(): Promise<Result[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tether-bench-'))
  const open = (name: string) =>
    openDatabase({ at: { directory: path.join(folder, name) }, statementTimeoutMs: 0, warn })
  const [db, small] = [await open('many'), await open('few')]
  try {
    return await measure('embedded', db, small)
  } finally {
    await Promise.all([db.close(), small.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

const onServer = (server: string): Promise<Result[]> =>
  withDatabases(server, 2, async ([many = '', few = '']) => {
    const open = (url: string) =>
      openDatabase({ at: { url, poolSize: 2, prepared: true }, statementTimeoutMs: 0, warn })
    const [db, small] = [await open(many), await open(few)]
    try {
      return await measure('PostgreSQL', db, small)
    } finally {
      await Promise.all([db.close(), small.close()])
    }
  })

const server = benchServer()
const results = server === undefined ? await onEmbedded() : await onServer(server)
say({
  bench: 'knowledge',
  promise:
    'Looking up adds at most 5 ms to a turn when it is in memory, and costs as much beside 10,000 workspaces as beside 10',
  results,
  ...(server === undefined ? { skipped: NO_SERVER } : {}),
})
