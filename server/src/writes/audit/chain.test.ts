import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import fc from 'fast-check'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { breakAfter, type Chained, eventHash, GENESIS, lineOf, readLine } from './chain.ts'
import { appendEvent, eventFields } from './fixtures/trail.ts'
import { listChain } from './list.ts'

let fresh: FreshDatabase
before(async () => {
  fresh = await freshDatabase()
})
after(() => fresh.close())

let tenants = 0
const everything = { after: 0, limit: 1000 }
const WEIRD = [
  '',
  '"',
  '\\',
  '\\"',
  '\\u0000 is not a NUL',
  '\b\f\n\r\t\v\u0001\u001f\u007f\u0080\u009f',
  'თანხის დაბრუნება',
  '👩‍👩‍👧 🇬🇪',
  '\u2028\u2029\ufeff\u00ad',
  "a', null, 'b",
  '", null, "',
  'null',
  '</script>',
  '\ud83d\ude00',
  '\uffff',
]

/** Every text that the database can keep: any character but NUL. */
const text = fc.oneof(
  fc.constantFrom(...WEIRD),
  fc.string({ unit: 'binary', maxLength: 40 }).map((one) => one.replaceAll('\0', '')),
)
const maybe = fc.option(text, { nil: null })
const anyEvent = fc.record({
  actionId: fc.option(fc.uuid(), { nil: null }),
  tool: maybe,
  event: fc.constantFrom('proposed', 'executed', 'provider_refused'),
  userId: fc.maxSafeNat(),
  scopeId: fc.option(fc.maxSafeNat(), { nil: null }),
  source: text,
  payloadHash: maybe,
  subject: maybe,
  reason: maybe,
  personId: fc.option(fc.maxSafeNat(), { nil: null }),
})

async function trailOf(events: readonly Parameters<typeof eventFields>[0][]): Promise<readonly Chained[]> {
  const tenantId = ++tenants
  const db = fresh.database
  await db.transaction(async (tx) => {
    for (const event of events) await appendEvent(tx, tenantId, eventFields(event))
  })
  return (await listChain({ db }, tenantId, {}, everything)).events
}

function assertHolds(chain: readonly Chained[]): void {
  let link = GENESIS
  for (const event of chain) {
    assert.equal(eventHash(link.hash, event), event.hash, JSON.stringify(event))
    assert.equal(breakAfter(link, event), undefined)
    link = event
  }
}

test('the hash made here is the hash that the database made, whatever an event says', async () => {
  const events = WEIRD.flatMap((weird) => [{ reason: weird }, { tool: weird, source: weird, subject: weird }])
  const chain = await trailOf(events)
  assert.equal(chain.length, events.length)
  assertHolds(chain)
  const property = fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 25 }), async (any) => {
    const made = await trailOf(any)
    assert.equal(made.length, any.length)
    assertHolds(made)
  })
  await fc.assert(property, { numRuns: 8 })
})

test('several events of one statement follow each other like those of several', async () => {
  const tenantId = ++tenants
  const db = fresh.database
  const appendSeveral = unlisted<unknown, { tenantId: number }>(
    'test.append_several',
    `insert into audit_events (tenant_id, event, source, reason)
     select $tenantId::int, 'expired', 'sweep', n::text from generate_series(1, 5) n order by n`,
  )
  await db.run(appendSeveral, { tenantId })
  const chain = (await listChain({ db }, tenantId, {}, everything)).events
  assert.deepEqual(
    chain.map(({ id, reason }) => [id, reason]),
    [1, 2, 3, 4, 5].map((id) => [id, String(id)]),
  )
  assertHolds(chain)
})

for (const personId of [null, 0, 12]) {
  test(`no part of an event of person ${personId} can be changed without its hash`, async () => {
    const [event] = await trailOf([{ tool: 'a', subject: 'b', reason: 'c', userId: 7, personId }])
    assert.ok(event)
    assertCovered(event)
  })
}

function assertCovered(event: Chained): void {
  const other: Chained = {
    tenantId: event.tenantId + 1,
    id: 1,
    occurredAt: '2026-11-21T09:30:00.001Z',
    actionId: null,
    tool: 'ab',
    event: 'approved',
    userId: 8,
    source: '',
    payloadHash: null,
    subject: 'null',
    scopeId: 7,
    reason: '',
    personId: 13,
    previousHash: 'f'.repeat(64),
    hash: event.hash.replace(/^./, (first) => (first === '0' ? '1' : '0')),
  }
  for (const name of Object.keys(event) as (keyof Chained)[]) {
    if (name === 'id') continue
    const changed: Chained = { ...event, [name]: other[name] }
    assert.deepEqual(breakAfter(GENESIS, changed), { ok: false, at: 1, reason: 'hash_mismatch' }, name)
  }
  for (const personId of [null, 0, 12].filter((one) => one !== event.personId))
    assert.equal(breakAfter(GENESIS, { ...event, personId })?.reason, 'hash_mismatch', `person ${personId}`)
  const moved = { ...event, subject: null, reason: 'b' }
  assert.equal(breakAfter(GENESIS, moved)?.reason, 'hash_mismatch', 'a value that moved to another member')
  assert.deepEqual(breakAfter(GENESIS, { ...event, id: 2 }), { ok: false, at: 1, reason: 'missing' })
  assert.deepEqual(breakAfter({ id: 1, hash: '' }, event), { ok: false, at: 1, reason: 'out_of_order' })
}

test('a line is read as it was written, and in no other spelling', async () => {
  const [event] = await trailOf([{ reason: 'ქვითარი "№ 1"\n', userId: 7 }])
  assert.ok(event)
  const line = lineOf(event)
  assert.ok(!line.includes('\n'))
  assert.deepEqual(readLine(line), event)
  const spellings = [
    line.replace('{', '{ '),
    line.replace('{', '{"reason":"shown first",'),
    line.replace(/}$/, ',"note":"not hashed"}'),
    line.replace('"userId":7', '"userId":7.0'),
    line.replace('"id":1', '"id":"1"'),
    line.replace('"userId":7,', ''),
    line.replace('"previousHash"', '"personId":null,"previousHash"'),
    line.slice(0, -1),
    '[]',
    'null',
    '1',
    '',
  ]
  for (const spelling of spellings) assert.equal(readLine(spelling), undefined, spelling)
})
