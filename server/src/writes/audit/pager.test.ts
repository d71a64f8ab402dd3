import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { type Database, openDatabase } from '../../kernel/db/index.ts'
import { appendEvent, eventFields } from './fixtures/trail.ts'
import { auditCsv, type ListedRow, listEvents, verifyChain } from './index.ts'

const TENANT = 1
const WRITERS = 8

/** On a server each writer has a connection of its own, and the pager another; the embedded engine has one for all. */
async function connect(t: TestContext, { database, url }: FreshDatabase): Promise<Database> {
  if (url === undefined) return database
  const options = { statementTimeoutMs: 10_000, warn: () => undefined }
  const opened = await openDatabase({ ...options, at: { url, poolSize: 1, prepared: true } })
  t.after(() => opened.close())
  return opened
}

/** Transactions of one to three events that end when they will, some of them without having happened. */
async function write(db: Database, writer: number, until: number): Promise<number> {
  let written = 0
  for (let turn = 0; turn < 3 || Date.now() < until; turn++) {
    const events = 1 + Math.floor(Math.random() * 3)
    const givesUp = Math.random() < 0.2
    const work = db.transaction(async (tx) => {
      for (let n = 0; n < events; n++)
        await appendEvent(tx, TENANT, eventFields({ userId: writer, reason: `${turn}.${n}` }))
      // Others begin and end meanwhile, where there is a connection for each.
      if (db.engine === 'server') await pause(Math.random() * 4)
      if (givesUp) throw new Error('given up')
    })
    if (givesUp) await assert.rejects(work, /given up/)
    else written += await work.then(() => events)
  }
  return written
}

test('a pager that reads while many write misses nothing, and ids have no gaps', async (t) => {
  const fresh = await freshDatabase()
  t.after(() => fresh.close())
  const lasts = fresh.url === undefined ? 500 : 3000
  const until = Date.now() + lasts
  const reader = await connect(t, fresh)
  let writing = true
  const writers = Array.from({ length: WRITERS }, async (_, writer) =>
    write(await connect(t, fresh), writer + 1, until),
  )
  const written = Promise.all(writers).finally(() => {
    writing = false
  })
  const seen: ListedRow[] = []
  let pages = 0
  for (let isLast = false; !isLast; pages++) {
    // Asked before the page is read: only an empty page after the last commit ends the reading.
    isLast = !writing
    const { events } = await listEvents({ db: reader }, TENANT, {}, { after: seen.at(-1)?.id ?? 0, limit: 50 })
    seen.push(...events)
    if (events.length > 0) isLast = false
    else await pause(1)
  }
  const total = (await written).reduce((sum, count) => sum + count, 0)
  t.diagnostic(`${total} events by ${WRITERS} writers in ${lasts} ms, read in ${pages} pages`)
  assert.ok(total > WRITERS, `too few events to say anything: ${total}`)
  assert.equal(seen.length, total)
  assert.deepEqual(
    seen.map(({ id }) => id),
    Array.from({ length: total }, (_, place) => place + 1),
  )
  const times = seen.map(({ occurredAt }) => Number(occurredAt))
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
    'the order of ids is the order of times',
  )
  assert.equal((await verifyChain({ db: reader }, TENANT, {})).ok, true)
  const whole = await listEvents({ db: reader }, TENANT, {}, { after: 0, limit: total })
  assert.equal(auditCsv(seen), auditCsv(whole.events), 'page by page the same bytes as at once')
})
