import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { OpenHouse } from '../../../testkit/house.ts'
import type { Mail } from '../../../testkit/mail-sink.ts'
import { linkIn, type MailedHouse, newAddress, openMailedHouse, workOf } from '../../../testkit/mailed-house.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { statement } from '../../kernel/db/index.ts'
import { tellOfDue } from './tell.ts'

let house: MailedHouse
before(async () => {
  house = await openMailedHouse()
})
after(() => house.close())

const REFUND = {
  name: 'refund_order',
  description: 'Pays an order back.',
  is_write: true,
  parameters: { type: 'object', properties: { number: { type: 'string' }, note: { type: 'string' } } },
  labels: { ka: { title: 'თანხის დაბრუნება', parameters: { number: 'შეკვეთა' } } },
}
const CLOSE = { name: 'close_shop', description: 'Closes the shop for good.', is_write: true, risk: 'high' }

async function shop(people: readonly object[], at: OpenHouse = house) {
  const { apiKey: key, tenantId } = await at.tenant('Tea & Clay')
  const put = (path: string, body: unknown) => at.ask('PUT', path, { key, body })
  await put('/v1/tools', [REFUND, CLOSE])
  await put('/v1/users', people)
  await put('/v1/policy', { rules: [{ roles: ['manager'] }] })
  const stage = async (
    given: object = { number: 'A-1' },
    more: { tool?: string; headers?: Record<string, string> } = {},
  ) => {
    const { tool = 'refund_order', headers = {} } = more
    const reply = await at.ask<{ actionId: string }>('POST', '/v1/actions', {
      key,
      headers,
      body: { tool, arguments: given },
    })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.actionId
  }
  return { key, tenantId, put, stage }
}

const manager = (email: string, more: object = {}) => ({ displayName: 'Ana', email, role: 'manager', ...more })
const textOf = (mail: Mail | undefined): string =>
  (mail?.parts.find(({ type }) => type.startsWith('text/plain'))?.text ?? '').replaceAll('\r\n', '\n')
const subjectOf = (mail: Mail | undefined): string => textOf(mail).split('\n')[0] ?? ''
const choose = (tenantId: number, wanted: string, language = 'en') =>
  house.database.database.script(
    `update notice_choices set wanted = '${wanted}', language = '${language}' where tenant_id = ${tenantId}`,
  )
/** Queues the mails of what is due, and sends none. */
const tellOnly = async () =>
  await house.app.duties.find(({ name }) => name === 'notices')?.work(new AbortController().signal)
/** As if so long had passed since the last mails. */
const minutesLater = (tenantId: number, minutes = 11, at: OpenHouse = house) =>
  at.database.database.script(
    `update notices set ${setBack('told_at', `${minutes} minutes`)} where tenant_id = ${tenantId}`,
  )

test('whoever may approve a write is told of it once, in a mail whose link decides nothing', async () => {
  const [ana, bela, clerk, gone, asker] = [newAddress(), newAddress(), newAddress(), newAddress(), newAddress()]
  const { key, stage } = await shop([
    manager(ana),
    manager(bela, { displayName: 'Bela' }),
    { displayName: 'Clerk', email: clerk, role: 'clerk' },
    manager(gone, { displayName: 'Gone', active: false }),
    manager(asker, { displayName: 'Asker', userId: 7 }),
    { displayName: 'Without an address', role: 'manager', userId: 8 },
  ])
  const actionId = await stage({ number: 'A-17' }, { headers: { 'x-service-user-id': '7' } })
  for (const told of [ana, bela]) {
    const [mail, ...more] = await house.mailsTo(told)
    assert.equal(more.length, 0, 'told once')
    assert.match(textOf(mail), /^Refund order[\s\S]*“Tea & Clay”[\s\S]*number: A-17[\s\S]*Risk: low[\s\S]*Runs out: 20/)
    const link = new URL(linkIn(mail))
    assert.deepEqual([link.pathname, link.searchParams.get('action'), link.hash], ['/inbox', actionId, ''])
    for (const method of ['GET', 'HEAD', 'POST'] as const) {
      await house.app.server.inject({ method, url: `${link.pathname}${link.search}` })
    }
  }
  for (const untold of [clerk, gone, asker]) assert.equal((await house.mailsTo(untold)).length, 0, untold)
  const { body } = await house.ask<{ status: string; approvals: unknown[] }>('GET', `/v1/actions/${actionId}`, { key })
  assert.deepEqual([body.status, body.approvals], ['pending', []])
})

test('what was decided before its mail was sent is not told any more, and what takes its place is', async () => {
  const ana = newAddress()
  const { key, stage } = await shop([manager(ana, { userId: 1 }), manager(newAddress(), { userId: 2 })])
  const headers = { 'x-service-user-id': '2' }
  const rejected = await stage()
  await house.ask('POST', `/v1/actions/${rejected}/reject`, { key, headers, body: {} })
  const amended = await stage({ number: 'A-2' })
  await house.ask('POST', `/v1/actions/${amended}/amend`, { key, headers, body: { arguments: { number: 'A-3' } } })
  const mails = await house.mailsTo(ana)
  assert.deepEqual(
    mails.map((mail) => /number: (\S+)/.exec(textOf(mail))?.[1]),
    ['A-3'],
  )
})

test('writes decided before their mails are queued do not count towards the three mails in ten minutes', async () => {
  const ana = newAddress()
  const { key, stage } = await shop([manager(ana, { userId: 1 }), manager(newAddress(), { userId: 2 })])
  for (const number of ['A-1', 'A-2', 'A-3']) {
    const actionId = await stage({ number })
    await house.ask('POST', `/v1/actions/${actionId}/reject`, { key, headers: { 'x-service-user-id': '2' }, body: {} })
  }
  await stage({ number: 'A-4' })
  const mails = await house.mailsTo(ana)
  assert.deepEqual(
    mails.map((mail) => /number: (\S+)/.exec(textOf(mail))?.[1]),
    ['A-4'],
  )
})

test('after the third mail in ten minutes the others come together, as soon as there is room', async () => {
  const ana = newAddress()
  const { key, tenantId, stage } = await shop([manager(ana, { userId: 1 }), manager(newAddress(), { userId: 2 })])
  const ids: string[] = []
  for (const number of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7']) ids.push(await stage({ number }))
  assert.equal((await house.mailsTo(ana)).length, 3)
  await house.ask('POST', `/v1/actions/${ids[4]}/reject`, { key, headers: { 'x-service-user-id': '2' }, body: {} })
  await minutesLater(tenantId, 9)
  assert.equal((await house.mailsTo(ana)).length, 3, 'the ten minutes are not over')
  await minutesLater(tenantId, 2)
  const [, , , digest, ...more] = await house.mailsTo(ana)
  assert.equal(more.length, 0)
  assert.equal(subjectOf(digest), '3 proposals wait for you')
  assert.equal(new URL(linkIn(digest)).searchParams.get('action'), null)
  assert.equal(textOf(digest).match(/^Refund order: 20.* UTC$/gm)?.length, 3)
  await stage({ number: 'A-8' })
  assert.equal((await house.mailsTo(ana)).length, 5, 'and the next one comes by itself again')
})

test('a person is told of what they want, in the language that they read', async () => {
  const ana = newAddress()
  const { tenantId, stage } = await shop([manager(ana)])
  await stage()
  assert.match(subjectOf((await house.mailsTo(ana))[0]), /^Refund order$/)
  await choose(tenantId, 'high', 'ka')
  await stage({ number: 'A-2' })
  assert.equal((await house.mailsTo(ana)).length, 1)
  await stage({}, { tool: 'close_shop' })
  assert.match(textOf((await house.mailsTo(ana))[1]), /რისკი: მაღალი/)
  await choose(tenantId, 'all', 'ka')
  await stage({ number: 'A-3' })
  const third = textOf((await house.mailsTo(ana))[2])
  assert.match(third, /^თანხის დაბრუნება[\s\S]*შეკვეთა: A-3[\s\S]*რისკი: დაბალი/)
  assert.doesNotMatch(third.replace(/https?:\S+|A-3|Tea & Clay|UTC/g, ''), /[a-z]/i)
  await minutesLater(tenantId)
  await stage({ number: 'A-4' })
  await tellOnly()
  await choose(tenantId, 'none')
  assert.equal((await house.mailsTo(ana)).length, 3, 'whoever changes their mind is told no more')
})

test('what a stranger says is no link in a mail of ours, and what is long is read on the page', async () => {
  const ana = newAddress()
  const { stage } = await shop([manager(ana)])
  await stage({ number: 'evil.example/win', note: 'x'.repeat(500) })
  const text = textOf((await house.mailsTo(ana))[0])
  assert.match(text, /number: shown on the page\nnote: shown on the page/)
  assert.doesNotMatch(text, /evil/)
})

test('a mail server that is away is tried again, and nobody is told twice', async () => {
  const ana = newAddress()
  const { tenantId, stage } = await shop([manager(ana)])
  house.sink.refuse(ana, 'for now')
  const actionId = await stage()
  assert.equal((await house.mailsTo(ana)).length, 0)
  await house.database.database.script(`update mails set due_at = now() where state = 'queued'`)
  assert.equal((await house.mailsTo(ana)).length, 1)
  // Whatever makes it due again, the same people were told of it.
  await house.database.database.script(
    `insert into notices_due (tenant_id, action_id) values (${tenantId}, '${actionId}')`,
  )
  assert.equal((await house.mailsTo(ana)).length, 1)
})

// More than are taken together, so that several transactions count the mails of the same people.
test('processes that work at once tell nobody twice, and send nobody a fourth mail', async () => {
  const people = [newAddress(), newAddress()]
  const { stage } = await shop(people.map((email, at) => manager(email, { displayName: `M${at}` })))
  const ids: string[] = []
  for (let at = 0; at < 24; at++) ids.push(await stage({ number: `B-${at}` }))
  await Promise.all([workOf(house), workOf(house), workOf(house)])
  for (const email of people) {
    const told = (await house.mailsTo(email)).map((mail) => new URL(linkIn(mail)).searchParams.get('action') ?? '')
    assert.deepEqual([told.length, new Set(told).size], [3, 3], email)
    assert.ok(told.every((id) => ids.includes(id)))
  }
})

test('a workspace that tells more than its hour allows gathers the rest', async () => {
  const ana = newAddress()
  await using strict = await openMailedHouse({ 'Mail:MaxNoticesPerHour': '2' })
  const { stage, tenantId } = await shop([manager(ana), manager(newAddress(), { displayName: 'Bela' })], strict)
  await stage()
  await stage({ number: 'A-2' })
  await strict.work()
  assert.equal(strict.sink.mails.length, 2)
  await minutesLater(tenantId, 59, strict)
  await strict.work()
  assert.equal(strict.sink.mails.length, 2, 'the hour is not over')
  await minutesLater(tenantId, 2, strict)
  await strict.work()
  assert.equal(strict.sink.mails.length, 4, 'both people get the rest')
})

test('a person with others waiting for a digest does not delay the mail of a colleague', async () => {
  const [ana, bela] = [newAddress(), newAddress()]
  const { put, stage } = await shop([manager(ana, { userId: 1 })])
  for (const number of ['C-1', 'C-2', 'C-3', 'C-4']) await stage({ number })
  assert.equal((await house.mailsTo(ana)).length, 3)
  await put('/v1/users', [manager(bela, { userId: 2, displayName: 'Bela' })])
  const staged = [await stage({ number: 'C-5' }), await stage({ number: 'C-6' })]
  const told = (await house.mailsTo(bela)).map((mail) => new URL(linkIn(mail)).searchParams.get('action'))
  assert.deepEqual(told.toSorted(), staged.toSorted(), 'one mail about each, and no digest')
  assert.equal((await house.mailsTo(ana)).length, 3)
})

const COUNTED = ['notices_due', 'notices', 'notice_posts'] as const
const countRows = statement<Record<(typeof COUNTED)[number], number>, { tenantId: number }>(
  'test.count_notices',
  `select ${COUNTED.map((table) => `(select count(*)::int from ${table} where tenant_id = $tenantId::int) as ${table}`)}`,
)

test('empties the queue of notices where there is neither mail nor a channel', async () => {
  await using silent = await openMailedHouse({ 'Mail:Transport': 'none', 'AI:Approvals:RemindAt': '0.5' })
  const { key, tenantId, stage } = await shop([manager(newAddress(), { userId: 2 })], silent)
  const counts = async () => await silent.database.database.one(countRows, { tenantId })
  const actionId = await stage()
  const amend = { key, body: { arguments: { number: 'A-2' } }, headers: { 'x-service-user-id': '2' } }
  const amended = await silent.ask('POST', `/v1/actions/${actionId}/amend`, amend)
  assert.equal(amended.status, 200, amended.text)
  assert.deepEqual(await counts(), { notices_due: 2, notices: 0, notice_posts: 0 })
  await silent.work()
  assert.deepEqual(await counts(), { notices_due: 0, notices: 0, notice_posts: 0 })
  await silent.database.database.script(
    `update actions set ${setBack('created_at', '13 hours')}, ${setBack('expires_at', '13 hours')}`,
  )
  const remind = silent.app.duties.find(({ name }) => name === 'actions.remind')
  assert.equal(await remind?.work(new AbortController().signal), 1)
  assert.deepEqual(await counts(), { notices_due: 1, notices: 0, notice_posts: 0 })
  await silent.work()
  assert.deepEqual(await counts(), { notices_due: 0, notices: 0, notice_posts: 0 })
})

test('drops the notices of a tenant that uses no channel without reading its writes', async () => {
  await using silent = await openMailedHouse({ 'Mail:Transport': 'none' })
  const { tenantId, stage } = await shop([manager(newAddress())], silent)
  const actionId = await stage()
  const { house: own } = silent.app
  const unread = { of: () => assert.fail('reads the catalog') }
  const unused = { isUsedBy: async () => false, take: () => assert.fail('takes a notice') }
  const telling = { house: own, catalogs: unread, channels: [unused] }
  assert.deepEqual(await tellOfDue(telling, { tenantId, ids: [actionId] }), { taken: 1 })
  assert.equal((await silent.database.database.one(countRows, { tenantId }))?.notices_due, 0)
})

test('whoever is reminded of a write gets a mail of it again, and whoever has approved it does not', async () => {
  await using reminding = await openMailedHouse({ 'AI:Approvals:RemindAt': '0.5' })
  const [ana, bela] = [newAddress(), newAddress()]
  const { key, put, stage } = await shop(
    [manager(ana, { userId: 7 }), manager(bela, { displayName: 'Bela', userId: 8 })],
    reminding,
  )
  await put('/v1/policy', { rules: [{ roles: ['manager'], approvers: 2 }] })
  const actionId = await stage()
  assert.deepEqual([(await reminding.mailsTo(ana)).length, (await reminding.mailsTo(bela)).length], [1, 1])
  await reminding.ask('POST', `/v1/actions/${actionId}/confirm`, { key, headers: { 'x-service-user-id': '7' } })
  await reminding.database.database.script(
    `update actions set ${setBack('created_at', '13 hours')}, ${setBack('expires_at', '13 hours')}`,
  )
  assert.deepEqual([(await reminding.mailsTo(ana)).length, (await reminding.mailsTo(bela)).length], [1, 2])
})

test('people are not reminded of a write that its customer is to confirm', async () => {
  await using reminding = await openMailedHouse({ 'AI:Approvals:RemindAt': '0.5' })
  const ana = newAddress()
  const { tenantId, stage } = await shop([manager(ana)], reminding)
  const [ours, theirs] = [await stage({ number: 'A-1' }), await stage({ number: 'A-2' })]
  assert.equal((await reminding.mailsTo(ana)).length, 2)
  await minutesLater(tenantId, 11, reminding)
  await reminding.database.database.script(
    `update keys set self_confirm = true where tenant_id = ${tenantId} and action_id = '${theirs}';
     update actions set ${setBack('created_at', '13 hours')}, ${setBack('expires_at', '13 hours')}`,
  )
  const reminders = (await reminding.mailsTo(ana)).slice(2)
  assert.deepEqual(
    reminders.map((mail) => new URL(linkIn(mail)).searchParams.get('action')),
    [ours],
  )
})
