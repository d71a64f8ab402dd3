import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import {
  linkIn,
  type MailedHouse,
  newAddress,
  newClient,
  openMailedHouse,
  type Signup,
  tokenIn,
} from '../../../testkit/mailed-house.ts'
import { PageBrowser } from '../../../testkit/page-browser.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { statement } from '../../kernel/db/index.ts'
import { console } from '../../modules/console/module.ts'
import { queueMail } from '../mail/index.ts'

type Confirmation = z.output<typeof contract.Confirmation>
type Sent = z.output<typeof contract.ConfirmationSent>

let house: MailedHouse
before(async () => {
  house = await openMailedHouse({}, { modules: [console] })
})
after(() => house.close())

const read = async (key: string) => (await house.ask<Confirmation>('GET', '/v1/account/confirmation', { key })).body
const ask = (key: string, body?: unknown, from = newClient(), at: MailedHouse = house) =>
  at.ask<Sent>('POST', '/v1/account/confirmation', { key, from, ...(body === undefined ? {} : { body }) })
const confirm = (token: string, at: MailedHouse = house) => at.ask('POST', '/v1/signup/confirm', { body: { token } })
const newest = async (email: string, at: MailedHouse = house) => tokenIn((await at.mailsTo(email)).at(-1))

const hold = statement<unknown, { tenantId: number }>(
  'test.hold_origins',
  `update tenants set origins = '{http://localhost:3000,https://a.example}', held_origins = '{https://b.example,https://a.example}'
    where tenant_id = $tenantId::int`,
)
const origins = statement<{ origins: string[]; held: string[] }, { tenantId: number }>(
  'test.origins',
  'select origins, held_origins as held from tenants where tenant_id = $tenantId::int',
)

const anHourLater = statement<unknown>(
  'test.an_hour_later',
  `update account_links set ${setBack('created_at', '1 hour')}`,
)

const unconfirm = statement<unknown, { tenantId: number }>(
  'test.unconfirm',
  'update tenants set email_confirmed_at = null where tenant_id = $tenantId::int',
)

/** A notice as another room would write it. It says nothing that can be sent, so it leaves the queue when it is due. */
const notice = ({ tenantId }: Signup, to: string) =>
  house.app.house.db.transaction((tx) =>
    queueMail(tx, house.app.house, {
      tenantId,
      kind: 'signup_notice',
      to,
      language: 'en',
      fields: { name: 'N', email: to, at: 0 },
    }),
  )

test('until the address is confirmed some things wait, and the confirmation lifts them in one step', async () => {
  const email = newAddress()
  const account = await house.signUp({ email })
  const { apiKey: key, tenantId } = account
  const resend = { method: 'POST', path: '/v1/account/confirmation' }
  const waits = ['public_origin', 'third_party_mail', 'paid_plan', 'provider_grant', 'child_tenant']
  assert.deepEqual(await read(key), {
    required: true,
    confirmed: false,
    confirmedAt: null,
    email,
    heldMail: 0,
    waits,
    resend,
  })
  const operator = { key: house.operatorKey }
  const provider = await house.ask('POST', `/v1/tenants/${tenantId}/provider`, operator)
  assert.deepEqual(
    [provider.status, provider.error?.code, provider.error?.reason],
    [403, 'email_unconfirmed', 'provider_grant'],
  )
  assert.deepEqual((provider.body.error as { resend: unknown }).resend, resend)
  const plan = await house.ask('PATCH', `/v1/tenants/${tenantId}`, { ...operator, body: { plan: 'Growth' } })
  assert.equal(plan.error?.reason, 'paid_plan')
  const keyed = await house.ask('POST', '/v1/keys', { ...operator, body: { tenantId, plan: 'Growth' } })
  assert.equal(keyed.error?.reason, 'paid_plan')
  for (const free of ['free', 'Free']) {
    const still = await house.ask('PATCH', `/v1/tenants/${tenantId}`, { ...operator, body: { plan: free } })
    assert.deepEqual([still.status, still.body.plan], [200, free])
  }
  const guest = newAddress()
  assert.equal(await notice(account, guest), 'held')
  assert.equal(await notice(account, email.replace('@', '+tag@')), 'queued', 'an alias of the address is the address')
  await house.database.database.run(hold, { tenantId })
  assert.deepEqual(await house.mailsTo(guest), [])
  assert.equal((await read(key)).heldMail, 1)

  assert.equal((await confirm(await newest(email))).status, 200)

  const after = await read(key)
  assert.deepEqual([after.confirmed, after.heldMail, after.waits], [true, 0, []])
  assert.ok(after.confirmedAt)
  assert.equal((await house.mailsTo(guest)).length, 1, 'what was held goes out')
  assert.equal(await notice(account, guest), 'queued')
  assert.deepEqual(await house.database.database.one(origins, { tenantId }), {
    origins: ['http://localhost:3000', 'https://a.example', 'https://b.example'],
    held: [],
  })
  assert.equal(
    (await house.ask('PATCH', `/v1/tenants/${tenantId}`, { ...operator, body: { plan: 'Growth' } })).status,
    200,
  )
  assert.equal((await house.ask('POST', `/v1/tenants/${tenantId}/provider`, operator)).status, 200)
})

test('a confirmed address is not confirmed again', async () => {
  const email = newAddress()
  const { apiKey } = await house.signUp({ email })
  await confirm(await newest(email))
  for (const body of [undefined, {}, { email }, { email: email.replace('@', '+x@') }]) {
    const { status, error } = await ask(apiKey, body)
    assert.deepEqual([status, error?.code], [409, 'already_confirmed'])
  }
})

test('a workspace is sent three confirmation links an hour, the one of its sign-up included', async () => {
  const email = newAddress()
  const { apiKey } = await house.signUp({ email })
  const first = await ask(apiKey, { language: 'ka' })
  assert.equal(first.status, 202)
  assert.deepEqual(
    { ...first.body, waits: first.body.waits.length },
    {
      confirmed: false,
      sent: true,
      email,
      heldMail: 0,
      waits: 5,
      resend: { method: 'POST', path: '/v1/account/confirmation' },
    },
  )
  assert.equal((await house.mailsTo(email)).at(-1)?.headers.get('content-language'), 'ka')
  const [second, third] = await Promise.all([ask(apiKey), ask(apiKey)])
  assert.deepEqual([second.status, third.status].sort(), [202, 429])
  const fourth = await ask(apiKey)
  assert.equal(fourth.error?.code, 'rate_limited')
  assert.match(
    fourth.error?.message ?? '',
    /^A workspace is mailed 3 links in an hour.* Try again in (59|60) minutes\.$/,
  )
  // The mail of the sign-up was still waiting when the second link replaced its link, so it was never sent.
  assert.equal((await house.mailsTo(email)).length, 2)
  assert.equal((await confirm(await newest(email))).status, 200)
})

test('a client address asks for ten links a day, over all workspaces', async () => {
  await using own = await openMailedHouse({ 'Signup:MaxLinksPerIpPerDay': '2' })
  const client = newClient()
  const accounts = [await own.signUp(), await own.signUp(), await own.signUp()]
  const replies = await Promise.all(accounts.map(({ apiKey }) => ask(apiKey, undefined, client, own)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 202, 429])
})

test('another address becomes the workspace’s, is unconfirmed, and earlier links of every kind stop', async () => {
  const [old, fresh] = [newAddress(), newAddress()]
  const { apiKey } = await house.signUp({ email: old })
  await confirm(await newest(old))
  await house.ask('POST', '/v1/signup/recover', { body: { email: old }, from: newClient() })
  const recovery = await newest(old)
  const moved = await ask(apiKey, { email: fresh })
  assert.deepEqual([moved.status, moved.body.confirmed, moved.body.email], [202, false, fresh])
  const told = (await house.mailsTo(old)).at(-1)
  assert.match(told?.headers.get('subject') ?? '', /address of your Tether workspace was changed/)
  assert.ok(!told?.raw.includes(fresh), 'the former address is told, and not where to')
  const now = await read(apiKey)
  assert.deepEqual([now.confirmed, now.email, now.waits.length], [false, fresh, 5])
  const redeemed = await house.ask('POST', '/v1/signup/recover/redeem', { body: { token: recovery } })
  assert.equal(redeemed.error?.code, 'invalid_link')
  assert.equal((await confirm(await newest(fresh))).status, 200)
  // The address that was confirmed stays used; one that never was is free again.
  const again = await house.ask('POST', '/v1/signup', { body: { email: old, name: 'Again' }, from: newClient() })
  assert.equal(again.error?.code, 'email_already_used')
  // But the workspace that left it may come back, and leave again.
  await house.database.database.run(anHourLater)
  for (const email of [old, fresh]) {
    assert.equal((await ask(apiKey, { email })).status, 202)
    assert.equal((await confirm(await newest(email))).status, 200)
  }
  const stranger = await house.ask('POST', '/v1/signup', { body: { email: old, name: 'Again' }, from: newClient() })
  assert.equal(stranger.error?.code, 'email_already_used')
  const other = await house.signUp({ email: newAddress() })
  const [never, kept] = [newAddress(), newAddress()]
  assert.equal((await ask(other.apiKey, { email: never })).status, 202)
  assert.equal((await house.mailsTo(never)).length, 1)
  assert.equal((await ask(other.apiKey, { email: kept })).status, 202)
  assert.equal((await house.mailsTo(never)).length, 1, 'an address that was never confirmed is told nothing')
  assert.equal((await house.signUp({ email: never })).emailConfirmed, false)
})

test('a session that a link to the former address opened does not come back with that address', async () => {
  const [old, fresh] = [newAddress(), newAddress()]
  const { apiKey } = await house.signUp({ email: old })
  await confirm(await newest(old))
  const browser = new PageBrowser(house)
  await browser.get('/console')
  await browser.post('/console/sign-in', { email: old })
  const link = linkIn((await house.mailsTo(old)).at(-1))
  await browser.get('/console')
  await browser.post('/console/open', { link })
  assert.match(browser.page.text, /Sign out/)
  for (const email of [fresh, old]) {
    await house.database.database.run(anHourLater)
    assert.equal((await ask(apiKey, { email })).status, 202)
    assert.equal((await confirm(await newest(email))).status, 200)
  }
  assert.match((await browser.get('/console')).text, /Your session has ended/)
})

test('another address goes through the checks of a sign-up', async () => {
  const taken = newAddress()
  await house.signUp({ email: taken })
  const { apiKey } = await house.signUp()
  for (const [email, code] of [
    ['nobody', 'invalid_email'],
    ['x@mailinator.com', 'disposable_email'],
    [taken, 'email_already_used'],
    [taken.replace('@', '+x@'), 'email_already_used'],
  ] as const) {
    assert.equal((await ask(apiKey, { email })).error?.code, code, email)
  }
  assert.equal((await house.mailsTo(taken)).length, 1)
})

test('two workspaces cannot move to one address at the same moment', async () => {
  const wanted = newAddress()
  const accounts = await Promise.all(Array.from({ length: 6 }, () => house.signUp()))
  const replies = await Promise.all(accounts.map(({ apiKey }) => ask(apiKey, { email: wanted })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 409, 409, 409, 409, 409])
})

test('a workspace without an address gets one, and a deployment without mail says so', async () => {
  const { apiKey } = await house.tenant()
  assert.equal((await ask(apiKey)).error?.code, 'already_confirmed')
  const email = newAddress()
  assert.equal((await ask(apiKey, { email })).status, 202)
  assert.equal((await confirm(await newest(email))).status, 200)
  await using own = await openMailedHouse({ 'Mail:Transport': 'none', 'Signup:VerifyEmail': 'false' })
  const quiet = await own.signUp()
  await own.database.database.run(unconfirm, { tenantId: quiet.tenantId })
  const reply = await ask(quiet.apiKey, {}, newClient(), own)
  assert.deepEqual(
    [reply.status, reply.error?.code, reply.error?.reason],
    [503, 'signup_unavailable', 'mail_not_configured'],
  )
})

test('where addresses are not confirmed, moving to another one leaves the workspace confirmed and needs no mail', async () => {
  for (const transport of ['none', 'smtp']) {
    await using own = await openMailedHouse({ 'Mail:Transport': transport, 'Signup:VerifyEmail': 'false' })
    const [old, fresh] = [newAddress(), newAddress()]
    const { apiKey } = await own.signUp({ email: old })
    const moved = await ask(apiKey, { email: fresh }, newClient(), own)
    assert.deepEqual([moved.status, moved.body.confirmed, moved.body.sent, moved.body.email], [202, true, false, fresh])
    assert.deepEqual(moved.body.waits, [])
    assert.deepEqual((await own.mailsTo(fresh)).length, 0, 'there is nothing to confirm')
    assert.equal((await own.mailsTo(old)).length, transport === 'none' ? 0 : 1, 'the former address is told')
    const { body } = await own.ask('GET', '/v1/account/confirmation', { key: apiKey })
    assert.deepEqual([body.required, body.confirmed, body.email], [false, true, fresh])
    const again = { body: { email: old, name: 'Again' }, from: newClient() }
    assert.equal((await own.ask('POST', '/v1/signup', again)).error?.code, 'email_already_used')
  }
})

test('dots are one person’s at every host when workspaces are counted, and at Google’s alone when mail is', async () => {
  const spell = (host: string) => [`anna.dot${newAddress().replace(/\D/g, '')}`, host] as const
  for (const [[name, host], isOwn] of [
    [spell('shop.example'), false],
    [spell('gmail.com'), true],
  ] as const) {
    const [dotted, plain] = [`${name}@${host}`, `${name.replace('.', '')}@${host}`]
    const account = await house.signUp({ email: dotted })
    const again = { body: { email: plain, name: 'Again' }, from: newClient() }
    assert.equal((await house.ask('POST', '/v1/signup', again)).error?.code, 'email_already_used', plain)
    assert.equal(await notice(account, plain), isOwn ? 'queued' : 'held', 'another mailbox, but at Google’s')
    // The workspace itself may move between the two, and nobody else gets what it leaves.
    await confirm(await newest(dotted))
    await house.database.database.run(anHourLater)
    if (!isOwn) assert.equal((await ask(account.apiKey, { email: plain })).status, 202)
    assert.equal((await house.ask('POST', '/v1/signup', again)).error?.code, 'email_already_used')
  }
})
