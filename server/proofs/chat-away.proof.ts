// The database goes away for ten seconds under load. Every turn answers or fails clearly, and not one row of what models
// were used is lost: those that could not be written wait, spill to files, and are there in the end, each once.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../../scripts/private-postgres.ts'
import { openApp } from '../src/app.ts'
import { systemClock } from '../src/kernel/clock/index.ts'
import { openKeyring } from '../src/kernel/crypto/index.ts'
import { migrate, openDatabase, readMigrations, statement } from '../src/kernel/db/index.ts'
import { openLog } from '../src/kernel/log/index.ts'
import { MODULES } from '../src/modules.ts'
import { testSettings } from '../testkit/house.ts'
import { playedModel } from '../testkit/played-model.ts'
import { type Line, openLine } from './rig/line.ts'

const AWAY_MS = 10_000
const READERS = 12
const countUsage = statement<{ rows: number; tokens: number; turns: number }>(
  'proof.count_usage',
  `select (select count(*)::int from usage_rows) as rows, (select coalesce(sum(output_tokens), 0)::int from usage_rows) as tokens,
          (select count(*)::int from turn_records) as turns`,
)

type Seen = Map<string, number>

async function ask(url: string, key: string, seen: Seen): Promise<void> {
  const response = await fetch(`${url}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Hello' }),
  })
  const text = await response.text()
  const ends = text.match(/^data: \{"type":"(?:complete|error)".*$/gm) ?? []
  const frame = ends.length === 0 ? undefined : JSON.parse((ends[0] ?? '').slice(6))
  const what =
    response.status === 200
      ? `${ends.length} ${frame?.code ?? frame?.type}`
      : `${response.status} ${JSON.parse(text).error.code}`
  seen.set(what, (seen.get(what) ?? 0) + 1)
  if (response.status !== 200) await pause(20)
}

/** Readers ask without end; the line to the database is taken away in the middle of it, and given back. */
async function underLoad(line: Line, askOnce: () => Promise<void>): Promise<void> {
  const stop = AbortSignal.timeout(3000 + AWAY_MS + 3000)
  const reading = Array.from({ length: READERS }, async () => {
    while (!stop.aborted) await askOnce()
  })
  await pause(3000)
  line.takeAway()
  await pause(AWAY_MS)
  line.giveBack()
  await Promise.all(reading)
  await askOnce()
}

test('the database goes away for ten seconds under load', { timeout: 120_000 }, async (t) => {
  const postgres = await startPostgres()
  if (postgres === undefined) return t.skip('no PostgreSQL server is installed')
  const line = await openLine(postgres.url)
  const spill = await mkdtemp(path.join(tmpdir(), 'spill-'))
  const db = await openDatabase({
    at: { url: line.url, poolSize: 10, prepared: true },
    statementTimeoutMs: 30_000,
    warn: () => {},
  })
  await migrate(db, await readMigrations(fileURLToPath(new URL('../migrations', import.meta.url))))
  const settings = testSettings({ 'AI:Usage:SpillDirectory': spill, 'AI:Usage:QueueCapacity': '5' })
  const model = playedModel(() => [
    { waitMs: 200 },
    'Hello ',
    'you.',
    { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } },
  ])
  const app = openApp({
    settings,
    db,
    log: openLog({ level: 'silent', format: 'json', stream: { write: () => {} } }),
    clock: systemClock,
    keyring: openKeyring({ key: settings.encryption.key, previous: settings.encryption.previousKeys }),
    modules: MODULES,
    models: { of: () => ({ model, name: 'played', price: { inputMicros: 1, outputMicros: 1 } }) },
  })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const seen: Seen = new Map()
  try {
    const made = await app.server.inject({
      method: 'POST',
      url: '/v1/tenants',
      headers: { 'x-api-key': settings.operator.apiKey ?? '' },
      payload: { name: 'Corner Shop', plan: 'Growth' },
    })
    const { apiKey } = made.json<{ apiKey: string }>()
    await underLoad(line, () => ask(url, apiKey, seen))
    for (let attempt = 0; attempt < 50 && (await readdir(spill)).length > 0; attempt++) await pause(200)
    await app.flush()
    const counted = await db.one(countUsage)
    t.diagnostic(`asked of the model: ${model.requests.length}; answers: ${JSON.stringify(Object.fromEntries(seen))}`)
    t.diagnostic(`rows in the end: ${JSON.stringify(counted)}`)
    const spilled = /^tether_usage_rows_spilled (\d+)$/m.exec((await app.house.metrics.text()).content)?.[1]
    t.diagnostic(`rows that went to files meanwhile: ${spilled}`)
    assert.ok(Number(spilled) > 0)
    assert.equal(counted?.rows, model.requests.length, 'each round has its row, once')
    assert.equal(counted?.tokens, 2 * model.requests.length)
    assert.deepEqual(await readdir(spill), [])
    const allowed = /^(1 complete|1 DATABASE_UNAVAILABLE|503 database_unavailable)$/
    assert.deepEqual(
      [...seen.keys()].filter((what) => !allowed.test(what)),
      [],
    )
    assert.ok((seen.get('1 complete') ?? 0) > 100 && (seen.get('503 database_unavailable') ?? 0) > 0)
  } finally {
    await app.close()
    await db.close()
    await line.close()
    await postgres.stop()
    await rm(spill, { recursive: true, force: true })
  }
})
