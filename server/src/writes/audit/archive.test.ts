import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { type Database, sqlState, unlisted } from '../../kernel/db/index.ts'
import { archiveTrails, mayArchive } from './archive.ts'
import { lineOf } from './chain.ts'
import { appendEvent, eventFields, placeTrail, tamper } from './fixtures/trail.ts'
import { foldersOfDeleted, listEvents, listNewest, verifyChain } from './index.ts'
import { listChain } from './list.ts'

let fresh: FreshDatabase
let db: Database
const folder = mkdtempSync(path.join(tmpdir(), 'tether-archive-'))
before(async () => {
  fresh = await freshDatabase()
  db = fresh.database
})
after(async () => {
  await fresh.close()
  rmSync(folder, { recursive: true })
})

let tenants = 100
/** Three months of long ago, the first with 4 events, and two events of today: ids 1 to 12. */
async function trail(): Promise<number> {
  const tenantId = ++tenants
  await db.script(`insert into tenants (tenant_id) values (${tenantId})`)
  const days = ['01-05', '01-06', '01-31', '01-31', '02-01', '02-14', '04-01', '04-02', '04-03', '04-30']
  await placeTrail(
    db,
    tenantId,
    days.map((day, n) => ({ at: `2020-${day}T23:59:59.999Z`, reason: `№ ${n + 1}, "ქვითარი"\n\u2028` })),
  )
  for (let n = 0; n < 2; n++) await appendEvent(db, tenantId, eventFields())
  return tenantId
}

async function archive(tenantId: number | undefined, on = db, keepMonths = 12) {
  const all = []
  for await (const one of archiveTrails({ db: on }, { folder, keepMonths, only: tenantId })) all.push(one)
  return all
}
const filesOf = (tenantId: number): string[] => {
  const of = path.join(folder, String(tenantId))
  return existsSync(of) ? readdirSync(of).sort() : []
}
const textOf = (tenantId: number): string =>
  filesOf(tenantId)
    .map((file) => readFileSync(path.join(folder, String(tenantId), file), 'utf8'))
    .join('')
const exported = async (tenantId: number): Promise<string> => {
  const { events } = await listChain({ db }, tenantId, {}, { after: 0, limit: 1000 })
  return events.map((event) => `${lineOf(event)}\n`).join('')
}
const inTable = unlisted<{ id: number }, { tenantId: number }>(
  'test.ids_in_table',
  'select id from audit_events where tenant_id = $tenantId::int order by id',
)
const idsInTable = async (tenantId: number) => (await db.rows(inTable, { tenantId })).map(({ id }) => id)
const FILES = ['2020-01.1-4.jsonl', '2020-02.5-6.jsonl', '2020-04.7-10.jsonl']
const whole = (tenantId: number, range = {}) => verifyChain({ db }, tenantId, range)

test('finished months go into files, and the files and the table are one chain, to the byte', async () => {
  const tenantId = await trail()
  const before = await exported(tenantId)
  const done = await archive(tenantId)
  assert.deepEqual(
    done.map((one) => (one.kind === 'archived' ? [one.file, one.events] : one)),
    FILES.map((file, n) => [`${tenantId}/${file}`, [4, 2, 4][n]]),
  )
  assert.deepEqual(filesOf(tenantId), FILES)
  assert.deepEqual(await idsInTable(tenantId), [11, 12])
  assert.equal(textOf(tenantId) + (await exported(tenantId)), before)
  const rest = path.join(folder, 'rest.jsonl')
  writeFileSync(rest, await exported(tenantId))
  const files = FILES.map((file) => path.join(folder, String(tenantId), file))
  const script = fileURLToPath(new URL('../../../start.mjs', import.meta.url))
  const checked = spawnSync(process.execPath, [script, 'audit-verify', ...files, rest], { encoding: 'utf8' })
  rmSync(rest)
  assert.match(checked.stdout, /The chain holds: 12 events, 1 to 12\./, checked.stderr)
  assert.deepEqual(await archive(tenantId), [], 'and nothing is archived twice')
})

test('what the table still holds is checked from the hash of the last archived event on', async () => {
  const tenantId = await trail()
  const events = await listChain({ db }, tenantId, {}, { after: 0, limit: 100 })
  await archive(tenantId)
  const archived = { lastId: 10, lastHash: events.events[9]?.hash, lastAt: new Date('2020-04-30T23:59:59.999Z') }
  const lastHash = events.events[11]?.hash
  assert.deepEqual(await whole(tenantId), { ok: true, events: 2, firstId: 11, lastId: 12, lastHash, archived })
  const none = { ok: true, events: 0, firstId: null, lastId: null, lastHash: null, archived }
  assert.deepEqual(await whole(tenantId, { to: '2020-03-01' }), none, 'a period that is archived')
  assert.deepEqual(await whole(tenantId, { from: '2019-01-01' }), await whole(tenantId))
  for (const [set, at, reason] of [
    ["update audit_events set reason = 'x' where id = 11", 11, 'hash_mismatch'],
    ['delete from audit_events where id = 11', 11, 'missing'],
    ["update audit_archives set last_hash = repeat('0', 64) where last_id = 10", 11, 'hash_mismatch'],
    ['delete from audit_archives where last_id = 10', 7, 'missing'],
    ['update audit_heads set last_id = 9', 10, 'head_mismatch'],
  ] as const) {
    const other = await trail()
    await archive(other)
    const change = set.includes(' where ') ? `${set} and tenant_id = ${other}` : `${set} where tenant_id = ${other}`
    await db.script('alter table audit_archives disable trigger user; grant update on audit_archives to current_user')
    await tamper(db, change)
    await db.script('alter table audit_archives enable trigger user; revoke update on audit_archives from current_user')
    assert.deepEqual(await whole(other), { ok: false, at, reason }, set)
  }
})

test('a trail that is archived to its end holds, and goes on', async () => {
  const tenantId = ++tenants
  await db.script(`insert into tenants (tenant_id) values (${tenantId})`)
  await placeTrail(db, tenantId, [{ at: '2020-01-01T00:00:00Z' }, { at: '2020-01-02T00:00:00Z' }])
  await archive(tenantId)
  assert.deepEqual(await idsInTable(tenantId), [])
  assert.equal((await whole(tenantId)).ok, true)
  await appendEvent(db, tenantId, eventFields())
  const found = await whole(tenantId)
  assert.deepEqual([found.ok, found.ok && found.firstId, found.ok && found.lastId], [true, 3, 3])
})

test('a page says what it does not show, and only where it would have', async () => {
  const tenantId = await trail()
  await archive(tenantId)
  const page = async (filters: object, after = 0) => {
    const { events, archived } = await listEvents({ db }, tenantId, filters, { after, limit: 100 })
    return [events.map(({ id }) => id), archived?.lastId ?? null]
  }
  assert.deepEqual(await page({}), [[11, 12], 10])
  assert.deepEqual(await page({ to: '2020-03-01' }), [[], 10])
  assert.deepEqual(await page({ tool: 'unknown' }), [[], 10])
  assert.deepEqual(await page({}, 10), [[11, 12], null])
  assert.deepEqual(await page({ from: '2020-05-01' }), [[11, 12], null])
  const newest = async (filters: object, limit = 10) => {
    const { events, nextBefore, archived } = await listNewest({ db }, tenantId, filters, { before: null, limit })
    return [events.map(({ id }) => id), nextBefore, archived?.lastId ?? null]
  }
  assert.deepEqual(await newest({}), [[12, 11], null, 10])
  assert.deepEqual(await newest({}, 1), [[12], 12, null])
  assert.deepEqual(await newest({ to: '2020-03-01' }), [[], null, 10])
  assert.deepEqual(await newest({ from: '2020-05-01' }), [[12, 11], null, null])
})

class Killed extends Error {}

/** A database whose process ends with the nth thing that is asked of it: `done` says whether that was done or only asked. */
function mortal(most: number, done: boolean): Database {
  let asked = 0
  const until = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    if (++asked < most) return ask()
    if (asked === most && done) await ask()
    throw new Killed()
  }
  return {
    ...db,
    rows: (...args) => until(() => db.rows(...args)),
    one: (...args) => until(() => db.one(...args)),
    run: (...args) => until(() => db.run(...args)),
    transaction: (work) => until(() => db.transaction(work)),
  }
}

test('killed at any step, it loses nothing, archives nothing twice, and what is left holds all the time', async () => {
  let steps = 0
  for (let most = 1; ; most++) {
    const tenantId = await trail()
    const before = await exported(tenantId)
    for (const done of [false, true]) {
      await archive(tenantId, mortal(most, done)).catch((error: unknown) => assert.ok(error instanceof Killed))
      assert.equal((await whole(tenantId)).ok, true, `after step ${most}`)
    }
    steps = most
    const left = (await idsInTable(tenantId)).length
    await archive(tenantId)
    assert.equal(textOf(tenantId) + (await exported(tenantId)), before, `after step ${most}`)
    assert.deepEqual(filesOf(tenantId), FILES)
    if (left === 2) break
  }
  assert.ok(steps > 5, `${steps} steps are too few to say anything`)
})

test('what a file of that name holds is never written over', async () => {
  const tenantId = await trail()
  await archive(tenantId, mortal(5, false))
  assert.deepEqual(filesOf(tenantId), FILES.slice(0, 1), 'in a file, and unknown to the database')
  const file = path.join(folder, String(tenantId), FILES[0] ?? '')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, 'something else')
  const [refused] = await archive(tenantId)
  assert.match(refused?.kind === 'failed' ? refused.why : '', /is there already, and holds something else/)
  assert.equal(readFileSync(file, 'utf8'), 'something else')
  assert.equal((await idsInTable(tenantId)).length, 12)
  writeFileSync(file, text)
  assert.equal((await archive(tenantId)).length, 3)
})

test('rows that were left behind go only if their file is where it was written', async () => {
  const tenantId = await trail()
  await archive(tenantId, mortal(6, false))
  assert.deepEqual((await idsInTable(tenantId)).length, 12, 'in a file, and known to the database')
  assert.deepEqual((await listEvents({ db }, tenantId, {}, { after: 0, limit: 1 })).events[0]?.id, 5)
  const file = path.join(folder, String(tenantId), FILES[0] ?? '')
  const text = readFileSync(file, 'utf8')
  rmSync(file)
  const [refused] = await archive(tenantId)
  assert.match(refused?.kind === 'failed' ? refused.why : '', /is not there, or not as it was written/)
  assert.equal((await idsInTable(tenantId)).length, 12)
  writeFileSync(file, text)
  const [finished] = await archive(tenantId)
  assert.equal(finished?.kind, 'finished')
  assert.deepEqual(await idsInTable(tenantId), [11, 12])
})

test('a trail that is broken is not archived, and stops nobody else’s', async () => {
  const [broken, other] = [await trail(), await trail()]
  await tamper(db, `update audit_events set reason = 'x' where tenant_id = ${broken} and id = 6`)
  const done = (await archive(undefined)).filter(({ tenantId }) => tenantId >= broken)
  assert.deepEqual(
    done.map(({ kind, tenantId }) => [kind, tenantId]),
    [['archived', broken], ['failed', broken], ...FILES.map(() => ['archived', other])],
  )
  assert.match(String(done[1]?.kind === 'failed' && done[1].why), /broken at event 6 \(hash_mismatch\)/)
  assert.deepEqual(filesOf(broken), FILES.slice(0, 1))
})

test('the months that are kept stay, and so does the current one', async () => {
  const tenantId = ++tenants
  await db.script(`insert into tenants (tenant_id) values (${tenantId})`)
  const now = new Date()
  const month = (back: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
  await placeTrail(
    db,
    tenantId,
    [3, 2, 1, 0].map((back) => ({ at: month(back).toISOString() })),
  )
  await archive(tenantId, db, 2)
  assert.deepEqual(await idsInTable(tenantId), [2, 3, 4])
  await archive(tenantId, db, 1)
  assert.deepEqual(await idsInTable(tenantId), [3, 4])
})

test('the database lets nothing out of the trail that is not archived, and never changes an archive', async () => {
  const tenantId = await trail()
  await archive(tenantId, mortal(6, false))
  const refused = (error: unknown): boolean => sqlState(error) === '42501'
  const announced = (text: string, who = tenantId) =>
    db.transaction((tx) => tx.script(`set local tether.archiving_tenant = '${who}'; ${text}`))
  const take = (id: number) => `delete from audit_events where tenant_id = ${tenantId} and id = ${id}`
  await assert.rejects(db.script(take(1)), refused, 'unannounced')
  await assert.rejects(announced(take(1), 7), refused, 'announced for another')
  await assert.rejects(announced(take(5)), refused, 'not archived')
  await assert.rejects(announced(`update audit_events set reason = 'x' where tenant_id = ${tenantId}`), refused)
  for (const change of ["set last_hash = 'x'", 'set last_id = 12'])
    await assert.rejects(announced(`update audit_archives ${change} where tenant_id = ${tenantId}`), refused)
  await assert.rejects(announced(`delete from audit_archives where tenant_id = ${tenantId}`), refused)
  await assert.rejects(db.script('truncate audit_archives'), refused)
  const insert = (first: number, last: number, hash: string) =>
    db.script(`insert into audit_archives select tenant_id, ${first}, ${last}, month, last_hash, ${hash}, last_at, file, file_sha256, now()
      from audit_archives where tenant_id = ${tenantId}`)
  const wrong = (error: unknown): boolean => sqlState(error) === '23514'
  await assert.rejects(insert(6, 7, "repeat('0', 64)"), wrong, 'a gap')
  await assert.rejects(insert(5, 6, "repeat('0', 64)"), wrong, 'another end')
  await announced(take(1))
  assert.equal((await idsInTable(tenantId)).length, 11)
})

test('the folders of workspaces that have been deleted are told, and no others', async () => {
  const [gone, stays] = [await trail(), await trail()]
  await archive(gone)
  await archive(stays)
  await db.script(`update tenants set deleted_at = now() where tenant_id = ${gone}`)
  assert.deepEqual(await foldersOfDeleted({ db }, folder), [path.join(folder, String(gone))])
})

test('only the role that owns the trail may archive it', async () => {
  assert.equal(await mayArchive({ db }), true)
  // A PostgreSQL server shares its roles among the databases of other test runs.
  const stranger = `archive_stranger_${process.pid}`
  await db.script(`create role ${stranger}`)
  try {
    const asStranger = await db.transaction(async (tx) => {
      await tx.script(`set local role ${stranger}`)
      return await mayArchive({ db: tx })
    })
    assert.equal(asStranger, false)
  } finally {
    await db.script(`drop role ${stranger}`)
  }
})
