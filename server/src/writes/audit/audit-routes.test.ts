import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'
// Tests may look behind the door: a trail with times of its own can only be put there past the triggers.
import { type EventFields, placeTrail, tamper } from './fixtures/trail.ts'

type Events = z.output<typeof contract.AuditEvents>
type Verification = z.output<typeof contract.AuditVerification>

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const ACTION = '0199d3a0-0000-7000-8000-00000000000a'
const insertUser = statement<
  { id: number },
  { tenantId: number; userId: number | null; displayName: string; email: string | null; at: string }
>(
  'test.insert_user',
  `insert into users (tenant_id, user_id, display_name, email, created_at)
   values ($tenantId::int, $userId::bigint, $displayName::text, $email::text, $at::timestamptz) returning id`,
)

/** A tenant with one event an hour, the id being the hour. */
async function tenantWith(events: readonly Partial<EventFields>[]): Promise<NewTenant> {
  const tenant = await house.tenant()
  const at = (place: number) => new Date(Date.UTC(2026, 10, 21, place + 1)).toISOString()
  await placeTrail(
    house.database.database,
    tenant.tenantId,
    events.map((event, place) => ({ at: at(place), ...event })),
  )
  return tenant
}
const six = (): Promise<NewTenant> =>
  tenantWith([
    { event: 'proposed', tool: 'refund_order', subject: 'cust-1', scopeId: 7, source: 'POST /v1/chat' },
    { event: 'proposed', tool: 'cancel_order', subject: 'cust-2', scopeId: 8 },
    { event: 'approved', tool: 'refund_order', subject: 'cust-1', scopeId: 7, userId: 42 },
    { event: 'executed', tool: 'refund_order', subject: 'cust-1', scopeId: 7, userId: 42 },
    { event: 'rejected', tool: 'cancel_order', subject: 'cust-2', scopeId: 8, userId: 43, reason: 'Already sent' },
    { event: 'verified', tool: 'refund_order', subject: 'cust-1', scopeId: 7, actionId: ACTION, reason: 'It holds.' },
  ])

const read = (tenant: NewTenant, query = '') => house.ask<Events>('GET', `/v1/audit${query}`, { key: tenant.apiKey })
const idsOf = async (tenant: NewTenant, query = ''): Promise<number[]> => {
  const { status, body, text } = await read(tenant, query)
  assert.equal(status, 200, text)
  assert.equal(body.count, body.events.length)
  return body.events.map(({ id }) => id)
}
const csv = (tenant: NewTenant, query = '') =>
  house.ask('GET', `/v1/audit${query}`, { key: tenant.apiKey, headers: { accept: 'text/csv' } })

test('an event says what happened, to what, by whom and through which route', async () => {
  const tenant = await six()
  const { body } = await read(tenant)
  assert.deepEqual(body.events.at(-1), {
    id: 6,
    occurredAt: '2026-11-21T06:00:00.000Z',
    actionId: ACTION,
    tool: 'refund_order',
    event: 'verified',
    userId: 0,
    personId: null,
    user: null,
    source: 'POST /v1/actions',
    payloadHash: 'a'.repeat(64),
    subject: 'cust-1',
    reason: 'It holds.',
    relatedActionId: null,
  })
  assert.deepEqual(
    body.events.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6],
    'oldest first',
  )
})

test('the person is named where the tenant registered one, and nobody else’s person is', async () => {
  const [tenant, other] = [await six(), await six()]
  const { database } = house.database
  const at = '2026-11-01T00:00:00Z'
  const made = await database.one(insertUser, {
    tenantId: tenant.tenantId,
    userId: 42,
    displayName: 'Nino',
    email: 'nino@shop.example',
    at,
  })
  await database.run(insertUser, {
    tenantId: tenant.tenantId,
    userId: null,
    displayName: 'Without an id',
    email: null,
    at,
  })
  await database.run(insertUser, { tenantId: tenant.tenantId, userId: 0, displayName: 'Nobody', email: null, at })
  await database.run(insertUser, {
    tenantId: other.tenantId,
    userId: 43,
    displayName: 'A stranger',
    email: 'stranger@other.example',
    at,
  })
  const later = { displayName: 'Registered later', email: null, at: '2026-11-21T05:00:00.001Z' }
  await database.run(insertUser, { tenantId: tenant.tenantId, userId: 43, ...later })
  const { body } = await read(tenant)
  const nino = { id: made?.id, userId: 42, displayName: 'Nino', email: 'nino@shop.example' }
  assert.deepEqual(
    body.events.map(({ user }) => user),
    [null, null, nino, nino, null, null],
  )
})

test('each filter keeps what it names, and filters combine', async () => {
  const tenant = await six()
  const cases: [query: string, ids: number[]][] = [
    ['?decision=proposed', [1, 2]],
    ['?decision=failed', []],
    ['?tool=cancel_order', [2, 5]],
    ['?tool=cancel', []],
    ['?user=42', [3, 4]],
    ['?user=0', [1, 2, 6]],
    ['?user=4', []],
    ['?subject=cust-2', [2, 5]],
    ['?subject=CUST-2', []],
    ['?scope=8', [2, 5]],
    ['?scope=9', []],
    [`?actionId=${ACTION}`, [6]],
    [`?actionId=${ACTION.toUpperCase()}&decision=verified`, [6]],
    ['?actionId=019aa7a1-6c2e-7b1f-9d3a-2f4c5e6d7a8b', []],
    ['?from=2026-11-21T03:00:00Z', [3, 4, 5, 6]],
    ['?from=2026-11-21T03:00:00.001Z', [4, 5, 6]],
    ['?to=2026-11-21T03:00:00Z', [1, 2]],
    ['?to=2026-11-21T03:00:00.001Z', [1, 2, 3]],
    ['?from=2026-11-21', [1, 2, 3, 4, 5, 6]],
    ['?to=2026-11-21', []],
    ['?from=2026-11-22', []],
    ['?to=2026-11-22', [1, 2, 3, 4, 5, 6]],
    ['?from=2026-11-21T06:00:00%2B04:00&to=2026-11-21T08:00:00%2B04:00', [2, 3]],
    ['?after=4', [5, 6]],
    ['?after=0', [1, 2, 3, 4, 5, 6]],
    ['?after=-1', [1, 2, 3, 4, 5, 6]],
    ['?after=6', []],
    ['?tool=refund_order&user=42&decision=executed', [4]],
    ['?tool=refund_order&subject=cust-2', []],
    ['?subject=cust-1&scope=7&from=2026-11-21T02:00:00Z&to=2026-11-21T05:00:00Z&after=3', [4]],
  ]
  for (const [query, ids] of cases) assert.deepEqual(await idsOf(tenant, query), ids, query)
})

test('a parameter that cannot be read is refused by its name', async () => {
  const tenant = await six()
  const cases = {
    decision: ['maybe', 'Executed', ''],
    tool: [''],
    user: ['me', '1.5', ''],
    subject: [''],
    scope: ['all', '1e3', ''],
    actionId: ['mine', '', '1'],
    from: ['yesterday', '2026-02-30', ''],
    to: ['2026-11-21T25:00:00Z', 'now'],
    after: ['first', ''],
    limit: ['many', '10.5', '', '99999999999999999999'],
  }
  for (const [name, values] of Object.entries(cases)) {
    for (const value of [...values, `x&${name}=y`]) {
      const { status, error } = await read(tenant, `?${name}=${value}`)
      assert.deepEqual([status, error?.code], [400, 'invalid_request'], `${name}=${value}`)
      assert.ok(error?.message.includes(`\`${name}\``), error?.message)
    }
  }
})

test('pages follow each other, and after an exactly full one nothing follows', async () => {
  const tenant = await six()
  const page = async (query: string) => {
    const { body } = await read(tenant, query)
    return [body.events.map(({ id }) => id), body.nextAfter]
  }
  assert.deepEqual(await page('?limit=4'), [[1, 2, 3, 4], 4])
  assert.deepEqual(await page('?limit=4&after=4'), [[5, 6], null])
  assert.deepEqual(await page('?limit=3&after=3'), [[4, 5, 6], null], 'exactly full, and the last')
  assert.deepEqual(await page('?limit=6'), [[1, 2, 3, 4, 5, 6], null])
  assert.deepEqual(await page('?limit=0'), [[1], 1], 'clamped to one')
  assert.deepEqual(await page('?limit=-5'), [[1], 1])
  assert.deepEqual(await page('?limit=5000'), [[1, 2, 3, 4, 5, 6], null])
  assert.deepEqual(await page('?after=6'), [[], null])
  assert.deepEqual(await page('?tool=cancel_order&limit=1'), [[2], 2], 'what follows must pass the filter too')
  assert.deepEqual(await page('?tool=cancel_order&limit=1&after=2'), [[5], null])
})

test('a hundred events are a page unless said, and a thousand are the most', async () => {
  const tenant = await tenantWith(Array.from({ length: 1002 }, () => ({ tool: 'refund_order' })))
  for (const [query, count] of [
    ['', 100],
    ['?limit=1000', 1000],
    ['?limit=1001', 1000],
  ] as const) {
    const { body } = await read(tenant, query)
    assert.deepEqual([body.count, body.nextAfter], [count, count], query)
  }
})

test('as a file the same events have the fixed columns, and the same question has the same bytes', async () => {
  const tenant = await six()
  const first = await csv(tenant, '?subject=cust-2')
  assert.equal(first.status, 200)
  assert.equal(first.headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(first.headers['content-disposition'], 'attachment; filename="audit.csv"')
  const common = '0199d3a0-0000-7000-8000-000000000001,cancel_order'
  assert.equal(
    first.text,
    [
      'id,occurred_at,action_id,tool,event,user_id,source,payload_hash,subject,reason',
      `2,2026-11-21T02:00:00.000Z,${common},proposed,0,POST /v1/actions,${'a'.repeat(64)},cust-2,`,
      `5,2026-11-21T05:00:00.000Z,${common},rejected,43,POST /v1/actions,${'a'.repeat(64)},cust-2,Already sent`,
      '',
    ].join('\r\n'),
  )
  await house.database.database.run(insertUser, {
    tenantId: tenant.tenantId,
    userId: 43,
    displayName: 'Named later',
    email: null,
    at: '2026-11-01T00:00:00Z',
  })
  assert.equal((await csv(tenant, '?subject=cust-2')).text, first.text)
  const { status, error } = await csv(tenant, '?from=x')
  assert.deepEqual([status, error?.code], [400, 'invalid_request'])
})

/** Every page, as a client goes through them by the `Link` header. */
async function follow(tenant: NewTenant, path: string, headers: Record<string, string> = {}): Promise<string[]> {
  const texts: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: Awaited<ReturnType<OpenHouse['ask']>> = await house.ask('GET', next, { key: tenant.apiKey, headers })
    assert.equal(page.status, 200, page.text)
    texts.push(page.text)
    next = /^<([^>]+)>; rel="next"$/.exec(String(page.headers.link ?? ''))?.[1]
    assert.ok(texts.length < 20)
  }
  return texts
}

test('a file’s pages are found by their Link header, with the filters that were asked for', async () => {
  const tenant = await tenantWith([{ subject: 'a&b=c' }, { subject: 'another' }, { subject: 'a&b=c' }, {}])
  const pages = await follow(tenant, '/v1/audit?limit=1&subject=a%26b%3Dc', { accept: 'text/csv' })
  assert.equal(pages.length, 2)
  const lines = pages.flatMap((text) => text.split('\r\n').slice(1, -1))
  assert.deepEqual(
    lines.map((line) => line.split(',')[0]),
    ['1', '3'],
  )
})

test('the export holds every event with its hash, and its pages make one file', async () => {
  const tenant = await six()
  const [whole] = await follow(tenant, '/v1/audit/export')
  const lines = (whole ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ id, reason }) => [id, reason]),
    [
      [1, null],
      [2, null],
      [3, null],
      [4, null],
      [5, 'Already sent'],
      [6, 'It holds.'],
    ],
  )
  assert.equal(lines[0]?.previousHash, '0'.repeat(64))
  assert.deepEqual(
    lines.slice(1).map(({ previousHash }) => previousHash),
    lines.slice(0, -1).map(({ hash }) => hash),
  )
  const pages = await follow(tenant, '/v1/audit/export?limit=4&from=2026-11-21T02:00:00Z')
  assert.equal(pages.length, 2)
  assert.equal(pages.join(''), whole?.slice(whole.indexOf('\n') + 1))
  const { headers } = await house.ask('GET', '/v1/audit/export', { key: tenant.apiKey })
  assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8')
  assert.equal(headers['content-disposition'], 'attachment; filename="audit.ndjson"')
  const csv = await house.ask('GET', '/v1/audit/export', { key: tenant.apiKey, headers: { accept: 'text/csv' } })
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8')
  assert.match(csv.text, /^tenant_id,id,.*,previous_hash,hash\r\n/)
  assert.equal(csv.text.split('\r\n').length, 8)
  const { error } = await house.ask('GET', '/v1/audit/export?to=soon', { key: tenant.apiKey })
  assert.equal(error?.code, 'invalid_request')
})

test('the chain is checked on request, whole or between two times', async () => {
  const tenant = await six()
  const verify = async (query = '') =>
    (await house.ask<Verification>('GET', `/v1/audit/verify${query}`, { key: tenant.apiKey })).body
  const whole = await verify()
  assert.ok(whole.ok)
  assert.deepEqual([whole.events, whole.firstId, whole.lastId], [6, 1, 6])
  const part = await verify('?from=2026-11-21T02:00:00Z&to=2026-11-21T04:00:00Z')
  assert.deepEqual([part.ok, part.ok && part.firstId, part.ok && part.lastId], [true, 2, 3])
  const where = `where tenant_id = ${tenant.tenantId} and id = 5`
  await tamper(house.database.database, `update audit_events set reason = 'Not sent yet' ${where}`)
  assert.deepEqual(await verify(), { ok: false, at: 5, reason: 'hash_mismatch' })
  assert.equal((await verify('?to=2026-11-21T04:00:00Z')).ok, true)
  const { error } = await house.ask('GET', '/v1/audit/verify?from=x', { key: tenant.apiKey })
  assert.equal(error?.code, 'invalid_request')
})

test('a page with a time that is none is shown all the same', async () => {
  const tenant = await six()
  const where = `where tenant_id = ${tenant.tenantId} and id = 5`
  await tamper(house.database.database, `update audit_events set occurred_at = 'infinity' ${where}`)
  assert.equal((await csv(tenant)).text.split('\r\n')[5]?.split(',')[1], 'Infinity')
})

test('another tenant’s trail is not there', async () => {
  const tenant = await six()
  const stranger = await house.tenant()
  assert.deepEqual(await idsOf(stranger), [])
  assert.deepEqual(await idsOf(stranger, '?subject=cust-1&scope=7'), [])
  assert.equal((await csv(stranger)).text.split('\r\n').length, 2)
  assert.equal((await house.ask('GET', '/v1/audit/export', { key: stranger.apiKey })).text, '')
  const { body } = await house.ask<Verification>('GET', '/v1/audit/verify', { key: stranger.apiKey })
  assert.deepEqual(body, { ok: true, events: 0, firstId: null, lastId: null, lastHash: null })
  assert.equal((await idsOf(tenant)).length, 6)
})

test('only a secret key reads the trail', async () => {
  const { tenantId } = await six()
  for (const path of ['/v1/audit', '/v1/audit/export', '/v1/audit/verify']) {
    for (const kind of ['agent', 'publishable', 'action', 'provider', 'inbox', 'ci'] as const) {
      const { error } = await house.ask('GET', path, { key: await house.key(tenantId, kind) })
      assert.equal(error?.code, 'insufficient_scope', `${kind} ${path}`)
    }
    assert.equal((await house.ask('GET', path)).status, 401)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status } = await house.ask(method, path, { key: await house.key(tenantId, 'secret') })
      assert.equal(status, 405, `there is no route that changes an event: ${method} ${path}`)
    }
  }
})

test('what is archived is said in a page, in a file, in an export and by the check, and nothing seems lost', async () => {
  const tenant = await house.tenant()
  const days = ['2020-01-01', '2020-01-02', '2020-03-01']
  await placeTrail(
    house.database.database,
    tenant.tenantId,
    days.map((day) => ({ at: `${day}T00:00:00Z` })),
  )
  await house.database.database.script(
    `insert into audit_archives (tenant_id, first_id, last_id, month, previous_hash, last_hash, last_at, file, file_sha256, archived_at)
     select tenant_id, 1, id, '2020-01-01', repeat('0', 64), hash, occurred_at, 'x', 'x', now()
       from audit_events where tenant_id = ${tenant.tenantId} and id = 2`,
  )
  const { body, headers } = await read(tenant)
  const archived = { lastId: 2, lastHash: body.archived?.lastHash, lastAt: '2020-01-02T00:00:00.000Z' }
  assert.deepEqual([body.events.map(({ id }) => id), body.archived], [[3], archived])
  assert.equal(headers['x-audit-archived'], '2')
  const file = await csv(tenant, '?to=2020-02-01')
  assert.deepEqual([file.headers['x-audit-archived'], file.text.split('\r\n').length], ['2', 2], file.text)
  const options = { key: tenant.apiKey }
  const exported = await house.ask('GET', '/v1/audit/export', options)
  assert.equal(exported.headers['x-audit-archived'], '2')
  assert.equal(JSON.parse(exported.text).previousHash, archived.lastHash)
  const checked = await house.ask<Verification>('GET', '/v1/audit/verify', options)
  assert.deepEqual([checked.body.ok, checked.body.ok && checked.body.archived], [true, archived])
  const later = await read(tenant, '?after=2')
  assert.deepEqual([later.body.archived, later.headers['x-audit-archived']], [undefined, undefined])
})
