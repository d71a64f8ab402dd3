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
  tokenIn,
} from '../../../testkit/mailed-house.ts'
import { statement } from '../../kernel/db/index.ts'

type Redeemed = z.output<typeof contract.Redeemed>
type Events = z.output<typeof contract.AccountEvents>

let house: MailedHouse
before(async () => {
  house = await openMailedHouse()
})
after(() => house.close())

const recover = (email: unknown, from = newClient(), at: MailedHouse = house, more = {}) =>
  at.ask('POST', '/v1/signup/recover', { body: { email, ...more }, from })
const redeem = (token: string, more = {}, at: MailedHouse = house) =>
  at.ask<Redeemed>('POST', '/v1/signup/recover/redeem', { body: { token, ...more } })
const works = async (key: string, path = '/v1/account') => (await house.ask('GET', path, { key })).status === 200
const eventsOf = async (key: string) => (await house.ask<Events>('GET', '/v1/account/events', { key })).body.events

const forgetCaller = statement<unknown>('test.forget_callers', `delete from signup_ledger where kind = 'link'`)
const countRequests = statement<{ count: number }>(
  'test.count_requests',
  'select count(*)::int as count from recovery_requests',
)

test('whoever reads the mailbox gets a new key; earlier secret keys stop, everything else stays', async () => {
  const email = newAddress()
  const { apiKey, signingSecret, tenantId } = await house.signUp({ email })
  const second = await house.key(tenantId, 'secret')
  const others = await Promise.all(
    (['agent', 'publishable', 'inbox', 'ci'] as const).map((kind) => house.key(tenantId, kind)),
  )
  const asked = await recover(email)
  assert.equal(asked.status, 202)
  assert.equal(asked.body.accepted, true)
  assert.equal(asked.body.email, email)
  const mail = (await house.mailsTo(email)).at(-1)
  assert.match(linkIn(mail), /^https:\/\/app\.example\/verify\?recover=[\w-]+$/)
  assert.ok(await works(apiKey), 'asking changes nothing')
  const { status, body } = await redeem(tokenIn(mail))
  assert.equal(status, 200)
  assert.match(body.apiKey, /^tth_[0-9a-f]{48}$/)
  assert.deepEqual(
    { ...body, note: body.note.length > 40 },
    {
      tenantId,
      name: 'Corner Shop',
      apiKey: body.apiKey,
      keyPrefix: body.apiKey.slice(0, 12),
      revokedKeys: 2,
      signingSecret: null,
      exportLines: [
        `export TETHER_BASE_URL='${house.settings.http.publicUrl}'`,
        `export TETHER_API_KEY='${body.apiKey}'`,
        '# TETHER_SIGNING_SECRET stays as it is',
      ],
      note: true,
    },
  )
  assert.deepEqual([await works(apiKey), await works(second), await works(body.apiKey)], [false, false, true])
  const keys = (
    await house.ask<{ keys: { kind: string; revokedAt: string | null }[] }>('GET', '/v1/account/keys', {
      key: body.apiKey,
    })
  ).body.keys
  assert.deepEqual(
    keys.filter(({ kind, revokedAt }) => kind !== 'secret' && revokedAt !== null),
    [],
  )
  assert.equal(others.length, 4)
  const told = (await house.mailsTo(email)).at(-1)
  assert.match(told?.headers.get('subject') ?? '', /new secret key/)
  for (const secret of [body.apiKey, body.apiKey.slice(4, 20), body.keyPrefix, signingSecret]) {
    assert.ok(
      !house.sink.mails.some(
        ({ raw, parts }) => raw.includes(secret) || parts.some(({ text }) => text.includes(secret)),
      ),
    )
  }
  const [redeemed, requested] = await eventsOf(body.apiKey)
  assert.equal(redeemed?.type, 'recovery.redeemed')
  assert.equal(redeemed?.keyPrefix, body.keyPrefix)
  assert.equal(requested?.type, 'recovery.requested')
  for (const event of [redeemed, requested]) assert.match(event?.callerHash ?? '', /^[0-9a-f]{64}$/)
})

test('the signing secret is replaced when that is asked for, and shown once', async () => {
  const email = newAddress()
  const { signingSecret } = await house.signUp({ email })
  await recover(email)
  const { body } = await redeem(tokenIn((await house.mailsTo(email)).at(-1)), { rotateSigningSecret: true })
  assert.match(body.signingSecret ?? '', /^whsec_/)
  assert.notEqual(body.signingSecret, signingSecret)
  assert.equal(body.exportLines[2], `export TETHER_SIGNING_SECRET='${body.signingSecret}'`)
  assert.deepEqual(
    (await eventsOf(body.apiKey))
      .slice(0, 2)
      .map(({ type }) => type)
      .sort(),
    ['recovery.redeemed', 'signing_secret.rotated'],
  )
})

test('the answer says nothing of whether there is a workspace', async () => {
  const email = newAddress()
  await house.signUp({ email })
  const [known, unknown] = [await recover(email), await recover('nobody@shop.example')]
  assert.equal(known.status, unknown.status)
  assert.equal(known.text.replace(email, 'ADDRESS'), unknown.text.replace('nobody@shop.example', 'ADDRESS'))
  const names = (reply: typeof known) => Object.keys(reply.headers).sort()
  assert.deepEqual(names(known), names(unknown))
  await house.work()
  assert.deepEqual(await house.mailsTo('nobody@shop.example'), [])
  assert.equal((await house.database.database.one(countRequests))?.count, 0)
})

test('an alias finds the workspace, and the link goes to the address on file', async () => {
  const email = newAddress()
  await house.signUp({ email, language: 'ka' })
  await recover(email.replace('@', '+other@').toUpperCase())
  assert.deepEqual(await house.mailsTo(email.replace('@', '+other@').toUpperCase()), [])
  const mail = (await house.mailsTo(email)).at(-1)
  assert.equal(mail?.headers.get('content-language'), 'ka', 'in the language of the sign-up')
  await recover(email, newClient(), house, { language: 'en' })
  assert.equal((await house.mailsTo(email)).at(-1)?.headers.get('content-language'), 'en', 'or in the one asked for')
})

test('a workspace is mailed three recovery links an hour, and the answer does not show it', async () => {
  const email = newAddress()
  await house.signUp({ email })
  const confirmation = (await house.mailsTo(email)).length
  for (let asked = 0; asked < 5; asked++) {
    assert.equal((await recover(email)).status, 202)
    await house.work()
  }
  assert.equal((await house.mailsTo(email)).length - confirmation, 3)
})

test('a client address asks for ten links a day, known and unknown addresses alike', async () => {
  await house.database.database.run(forgetCaller)
  const client = newClient()
  const statuses = await Promise.all(
    Array.from({ length: 14 }, () => recover(newAddress(), client).then(({ status }) => status)),
  )
  assert.deepEqual(statuses.sort(), [...Array(10).fill(202), ...Array(4).fill(429)])
  const refused = await recover('nobody@shop.example', client)
  assert.equal(refused.error?.code, 'rate_limited')
  assert.match(
    refused.error?.message ?? '',
    /^One network address can ask for 10 links in 24 hours.* Try again in 24 hours\.$/,
  )
  assert.ok(Number(refused.headers['retry-after']) > 86_300)
  assert.equal((await recover('nobody@shop.example')).status, 202)
})

test('what is no address, and a deployment that cannot help, are said to everybody alike', async () => {
  assert.equal((await recover('nobody')).error?.code, 'invalid_email')
  assert.equal((await recover(7)).error?.code, 'invalid_email')
  for (const [settings, reason] of [
    [{ 'Mail:Transport': 'none', 'Signup:VerifyEmail': 'false' }, 'mail_not_configured'],
    [{ 'Signup:IpHashSalt': '' }, 'misconfigured'],
  ] as const) {
    await using own = await openMailedHouse(settings)
    const reply = await recover('nobody@shop.example', newClient(), own)
    assert.deepEqual([reply.status, reply.error?.code, reply.error?.reason], [503, 'signup_unavailable', reason])
  }
})

test('closing sign-up leaves nobody outside: links that were mailed still work', async () => {
  await using own = await openMailedHouse({ 'Signup:Enabled': 'false', 'Signup:VerifyUrl': '' })
  const made = await own.ask<{ tenantId: number }>('POST', '/v1/tenants', {
    key: own.operatorKey,
    body: { name: 'By hand', email: 'hand@shop.example' },
  })
  await recover('hand@shop.example', newClient(), own)
  const mail = (await own.mailsTo('hand@shop.example')).at(-1)
  // Without a page of the operator's it is our own, and the token stays in the browser.
  assert.match(linkIn(mail), /^http:\/\/127\.0\.0\.1:8787\/account\/recover\?lang=en#recover=[\w-]+$/)
  const verifyUrl = 'http://127.0.0.1:8787/account/confirm'
  await using named = await openMailedHouse({ 'Signup:VerifyUrl': verifyUrl })
  const address = newAddress()
  await named.signUp({ email: address })
  const confirmation = linkIn((await named.mailsTo(address)).at(-1))
  assert.ok(confirmation.startsWith(`${verifyUrl}?confirm=`), 'a page that is named is used to the letter')
  await named.ask('POST', '/v1/signup/recover', { body: { email: address }, from: newClient() })
  assert.ok(linkIn((await named.mailsTo(address)).at(-1)).startsWith(`${verifyUrl}?recover=`))
  const { status, body } = await redeem(tokenIn(mail), {}, own)
  assert.equal(status, 200)
  assert.equal(body.tenantId, made.body.tenantId)
})

test('an address that does not open does not stop the requests behind it', async () => {
  await using own = await openMailedHouse()
  const [broken, whole] = [newAddress(), newAddress()]
  const { tenantId } = await own.signUp({ email: broken })
  await own.signUp({ email: whole })
  await own.work()
  await own.database.database.run(spoil, { tenantId })
  await recover(broken, newClient(), own)
  await recover(whole, newClient(), own)
  assert.match(linkIn((await own.mailsTo(whole)).at(-1)), /recover=/)
  assert.ok(own.logged.some((line) => line.includes('does not open')))
})

const spoil = statement<unknown, { tenantId: number }>(
  'test.spoil_address',
  `update tenants set email_sealed = overlay(email_sealed placing 'AAAA' from length(email_sealed) - 4)
    where tenant_id = $tenantId::int`,
)
