import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { ChatAnswer } from '@tether/contract'
import {
  linkIn,
  type MailedHouse,
  newAddress,
  newClient,
  openMailedHouse,
  type Signup,
  tokenIn,
  VERIFY_URL,
} from '../../../../testkit/mailed-house.ts'
import { systemClock } from '../../../kernel/clock/index.ts'
import { sealLink } from '../../../kernel/crypto/index.ts'
import { unlisted } from '../../../kernel/db/index.ts'
import { offline } from '../../offline/module.ts'
import { SITE, scriptedSite } from '../fixtures/scripted-site.ts'
import { previewsWith } from '../module.ts'

const OPEN = {
  'PreviewSandbox:Enabled': 'true',
  'PreviewSandbox:IpHashSalt': '5f0c7e2b9a1d4836c8e7f01b2d3a4956',
  'PreviewSandbox:MaxPerAddressPerDay': '1000',
  'PreviewSandbox:MaxGlobalPerHour': '1000',
  'PreviewSandbox:MaxConcurrentCrawls': '100',
  'Signup:MaxPerIpPerDay': '1000',
}

let house: MailedHouse
/** A deployment that confirms no address. */
let open: MailedHouse
before(async () => {
  house = await openMailedHouse(OPEN, { modules: [previewsWith(scriptedSite().read), offline] })
  open = await openMailedHouse(
    { ...OPEN, 'Signup:VerifyEmail': 'false' },
    { modules: [previewsWith(scriptedSite().read), offline] },
  )
})
after(async () => {
  await house.close()
  await open.close()
})

type Accepted = { accepted: boolean; email: string; expiresAt: string }

async function readySandbox(at: MailedHouse): Promise<string> {
  const { body } = await at.ask<{ sandboxKey: string }>('POST', '/v1/preview/sandbox', {
    body: { siteUrl: 'https://1.1.1.1/' },
  })
  for (let round = 0; round < 6_000; round++) {
    const { state } = (await at.ask('GET', '/v1/preview/sandbox', { key: body.sandboxKey })).body
    if (state === 'ready') return body.sandboxKey
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('the sandbox never became ready')
}

const claim = <Body = Signup & Accepted>(at: MailedHouse, key: string, body: object, from = newClient()) =>
  at.ask<Body>('POST', '/v1/preview/sandbox/claim', { key, body, from })
const verify = (at: MailedHouse, token: string) =>
  at.ask<Signup>('POST', '/v1/signup/verify', { body: { token }, from: newClient() })

/** The workspace answers from the site, wears its colour, and is otherwise an ordinary one. */
async function assertKept(at: MailedHouse, { apiKey: key, tenantId }: Signup) {
  const held = await at.ask<{ previewOnly: boolean; preview: { site: string; chunks: number } }>('GET', '/v1/preview', {
    key,
  })
  assert.deepEqual([held.body.previewOnly, held.body.preview.site, held.body.preview.chunks], [true, SITE, 4])
  const answer = await at.ask<ChatAnswer>('POST', '/v1/chat', { key, body: { prompt: 'Do you deliver to Batumi?' } })
  assert.deepEqual(answer.body.meta.previewSources, [`${SITE}/delivery`])
  await at.ask('PUT', '/v1/origins', { key, body: { origins: ['http://localhost:3000'] } })
  const widget = await at.key(tenantId, 'publishable')
  const headers = { origin: 'http://localhost:3000' }
  assert.equal((await at.ask('GET', '/v1/chat/brand', { key: widget, headers })).body.color, '#0b5cad')
  const account = await at.ask('GET', '/v1/account', { key })
  assert.deepEqual([account.body.plan, account.body.selfServe, account.body.emailConfirmed], ['free', true, true])
}

test('where addresses are not confirmed, a claim makes the workspace at once', async () => {
  const key = await readySandbox(open)
  const { status, body } = await claim(open, key, { email: newAddress(), name: 'Lamp House' })
  assert.equal(status, 200)
  assert.match(body.apiKey, /^tth_/)
  assert.deepEqual([body.name, body.plan, body.emailConfirmed, body.confirmation], ['Lamp House', 'free', true, null])
  assert.equal((await open.ask('GET', '/v1/preview/sandbox', { key })).status, 401, 'the key of the sandbox is revoked')
  assert.equal((await open.ask('POST', '/v1/chat', { key, body: { prompt: 'Hello' } })).status, 401)
  await assertKept(open, body)
  await open.work()
  await assertKept(open, body)
})

test('where they are, a mailed link makes it, once', async () => {
  const key = await readySandbox(house)
  const email = newAddress()
  const asked = await claim(house, key, { email, name: 'Lamp House', language: 'ka' })
  assert.equal(asked.status, 202)
  const { expiresAt } = asked.body
  assert.deepEqual(asked.body, { accepted: true, email, expiresAt })
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 3_600_000) < 60_000)
  const mails = await house.mailsTo(email)
  assert.equal(mails.length, 1)
  assert.match(linkIn(mails[0]), new RegExp(`^${VERIFY_URL}\\?verify=[\\w-]+$`))
  assert.match(mails[0]?.parts[0]?.text ?? '', /შეინარჩუნეთ/)
  assert.ok(!JSON.stringify(mails).includes('tsb_'))
  const still = await house.ask('POST', '/v1/chat', { key, body: { prompt: 'Do you deliver to Batumi?' } })
  assert.equal(still.status, 200, 'until then the sandbox goes on')
  const token = tokenIn(mails[0])
  const made = await verify(house, token)
  assert.equal(made.status, 200)
  assert.deepEqual([made.body.name, made.body.emailConfirmed], ['Lamp House', true])
  await assertKept(house, made.body)
  assert.equal((await house.ask('GET', '/v1/preview/sandbox', { key })).status, 401)
  const again = await verify(house, token)
  assert.deepEqual([again.status, again.error?.code], [410, 'sandbox_expired'])
})

const newestClaim = unlisted<{ sandbox: number; claimId: string }, { prefix: string }>(
  'test.newest_claim',
  `select tenant_id as sandbox, claim_id as "claimId" from sandboxes
    where tenant_id = (select tenant_id from keys where prefix = $prefix::text)`,
)

test('a link that an earlier version sealed still keeps its sandbox', async () => {
  const key = await readySandbox(house)
  const email = newAddress()
  await claim(house, key, { email, name: 'Lamp House' })
  const row = await house.database.database.one(newestClaim, { prefix: key.slice(0, 12) })
  const token = sealLink(house.app.house.keyring, {
    purpose: 'signup.verify',
    id: JSON.stringify([email, 'Lamp House', 'en', row?.sandbox, row?.claimId]),
    expiresAt: Date.now() + 60_000,
  })
  const { status, body } = await verify(house, token)
  assert.equal(status, 200)
  assert.match(body.nextSteps[1] ?? '', /POST \/v1\/preview\./)
  await assertKept(house, body)
})

test('a second claim replaces the first, whose link then is none', async () => {
  const key = await readySandbox(house)
  const [one, two] = [newAddress(), newAddress()]
  await claim(house, key, { email: one, name: 'First' })
  const first = tokenIn((await house.mailsTo(one)).at(-1))
  await claim(house, key, { email: two, name: 'Second' })
  const second = tokenIn((await house.mailsTo(two)).at(-1))
  const old = await verify(house, first)
  assert.deepEqual([old.status, old.error?.code], [400, 'invalid_link'])
  assert.equal((await verify(house, second)).body.name, 'Second')
})

test('a claim that is replaced before its mail left is not mailed', async () => {
  const key = await readySandbox(house)
  const [one, two] = [newAddress(), newAddress()]
  await claim(house, key, { email: one, name: 'First' })
  await claim(house, key, { email: two, name: 'Second' })
  assert.equal((await house.mailsTo(two)).length, 1)
  assert.equal((await house.mailsTo(one)).length, 0)
})

test('the checks of a sign-up hold for a claim, and a refused one leaves the sandbox as it is', async () => {
  const key = await readySandbox(house)
  const used = newAddress()
  await house.signUp({ email: used })
  for (const [body, code] of [
    [{ name: 'Shop' }, 'invalid_email'],
    [{ email: 'nobody', name: 'Shop' }, 'invalid_email'],
    [{ email: newAddress() }, 'invalid_name'],
    [{ email: newAddress(), name: 'x' }, 'invalid_name'],
    [{ email: 'a@mailinator.com', name: 'Shop' }, 'disposable_email'],
    [{ email: used, name: 'Shop' }, 'email_already_used'],
  ] as const) {
    assert.equal((await claim(house, key, body)).error?.code, code, JSON.stringify(body))
  }
  await using closed = await openMailedHouse(
    { ...OPEN, 'Signup:Enabled': 'false' },
    { modules: [previewsWith(scriptedSite().read), offline] },
  )
  const other = await readySandbox(closed)
  assert.equal((await claim(closed, other, { email: newAddress(), name: 'Shop' })).error?.code, 'signup_disabled')
  assert.equal((await house.ask('GET', '/v1/preview/sandbox', { key })).body.state, 'ready')
})

test('mails of claims are bounded, by sandbox and by network address', async () => {
  const key = await readySandbox(house)
  for (let count = 0; count < 3; count++) {
    assert.equal((await claim(house, key, { email: newAddress(), name: 'Shop' })).status, 202)
  }
  assert.deepEqual((await claim(house, key, { email: newAddress(), name: 'Shop' })).error?.code, 'rate_limited')
  const from = newClient()
  const codes: (string | undefined)[] = []
  for (let sandbox = 0; sandbox < 4; sandbox++) {
    const one = await readySandbox(house)
    for (let count = 0; count < 3; count++) {
      codes.push((await claim(house, one, { email: newAddress(), name: 'Shop' }, from)).error?.code)
    }
  }
  assert.deepEqual(codes.slice(0, 10), Array(10).fill(undefined))
  assert.deepEqual(codes.slice(10), ['rate_limited', 'rate_limited'])
})

const setEnd = unlisted<unknown, { prefix: string; seconds: number }>(
  'test.set_end',
  `update sandboxes set expires_at = now() + make_interval(secs => $seconds::float8)
    where tenant_id = (select tenant_id from keys where prefix = $prefix::text)`,
)

test('a claim keeps the sandbox as long as its link is good', async () => {
  const key = await readySandbox(house)
  const prefix = key.slice(0, 12)
  await house.database.database.run(setEnd, { prefix, seconds: 30 })
  const email = newAddress()
  await claim(house, key, { email, name: 'Shop' })
  const { expiresAt } = (await house.ask<{ expiresAt: string }>('GET', '/v1/preview/sandbox', { key })).body
  assert.ok(Date.parse(expiresAt) > Date.now() + 3_000_000)
  const token = tokenIn((await house.mailsTo(email)).at(-1))
  await house.database.database.run(setEnd, { prefix, seconds: -1 })
  for (const swept of [false, true]) {
    if (swept) await house.work()
    const late = await verify(house, token)
    assert.deepEqual([late.status, late.error?.code], [410, 'sandbox_expired'])
  }
})

test('a link that outlived its sandbox says so, and not only that it has expired itself', async () => {
  let ahead = 0
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  await using at = await openMailedHouse(OPEN, { modules: [previewsWith(scriptedSite().read), offline], clock })
  const key = await readySandbox(at)
  const email = newAddress()
  await claim(at, key, { email, name: 'Shop' })
  const token = tokenIn((await at.mailsTo(email)).at(-1))
  await at.database.database.run(setEnd, { prefix: key.slice(0, 12), seconds: -1 })
  ahead = 2 * 3_600_000
  const late = await verify(at, token)
  assert.deepEqual([late.status, late.error?.code], [410, 'sandbox_expired'])
})

test('of two that keep one sandbox at once, one does', async () => {
  const key = await readySandbox(open)
  const both = await Promise.all([1, 2].map(() => claim(open, key, { email: newAddress(), name: 'Race' })))
  const [kept, ...others] = both.filter(({ status }) => status === 200)
  assert.ok(kept !== undefined && others.length === 0)
  // The key of the sandbox is revoked with it: whoever is let in after that is nobody.
  const refused = both.find(({ status }) => status !== 200)?.error?.code ?? ''
  assert.ok(['sandbox_expired', 'invalid_api_key'].includes(refused), refused)
  await assertKept(open, kept.body)

  const mailed = await readySandbox(house)
  const email = newAddress()
  await claim(house, mailed, { email, name: 'Race' })
  const token = tokenIn((await house.mailsTo(email)).at(-1))
  const opened = await Promise.all([1, 2, 3].map(() => verify(house, token)))
  assert.equal(opened.filter(({ status }) => status === 200).length, 1)
  for (const { error } of opened.filter(({ status }) => status !== 200)) {
    assert.ok(['sandbox_expired', 'email_already_used', 'invalid_link'].includes(error?.code ?? ''), error?.code)
  }
})
