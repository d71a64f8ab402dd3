import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import test, { after, before } from 'node:test'
import { runningClock } from '../../../testkit/clock.ts'
import {
  type MailedHouse,
  newAddress,
  newClient,
  openMailedHouse,
  type Signup,
  tokenIn,
} from '../../../testkit/mailed-house.ts'
import { sealLink } from '../../kernel/crypto/index.ts'
import { statement } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { openVerifyLink, sealVerifyLink } from './links.ts'

let house: MailedHouse
let foreign: MailedHouse
before(async () => {
  house = await openMailedHouse()
  foreign = await openMailedHouse()
})
after(async () => {
  await house.close()
  await foreign.close()
})

const HOUR = 3_600_000
const DAY = 24 * HOUR
const CONFIRM = '/v1/signup/confirm'
const REDEEM = '/v1/signup/recover/redeem'
const VERIFY = '/v1/signup/verify'

const spend = (path: string, token: unknown, at: MailedHouse = house) => at.ask('POST', path, { body: { token } })
const codeOf = async (path: string, token: unknown, at?: MailedHouse) => (await spend(path, token, at)).error?.code
const confirmed = async ({ apiKey }: Signup) =>
  (await house.ask('GET', '/v1/account', { key: apiKey })).body.emailConfirmed

async function unconfirmed(at: MailedHouse = house) {
  const email = newAddress()
  const account = await at.signUp({ email })
  const token = tokenIn((await at.mailsTo(email)).at(-1))
  return { email, account, token }
}

async function recovering(email: string, at: MailedHouse = house): Promise<string> {
  const reply = await at.ask('POST', '/v1/signup/recover', { body: { email }, from: newClient() })
  assert.equal(reply.status, 202)
  return tokenIn((await at.mailsTo(email)).at(-1))
}

const age = statement<unknown, { tenantId: number; hours: number }>(
  'test.age_links',
  `update account_links set created_at = (created_at at time zone 'UTC' - $hours::int * interval '1 hour') at time zone 'UTC' where tenant_id = $tenantId::int`,
)

test('a link that is altered, cut, foreign or no link at all is invalid, and changes nothing', async () => {
  const { account, token } = await unconfirmed()
  const other = await unconfirmed(foreign)
  for (const path of [CONFIRM, REDEEM, VERIFY]) {
    for (const wrong of [
      '',
      ' ',
      'x',
      token.slice(1),
      token.slice(0, -4),
      `${token}AAAA`,
      other.token,
      token.toUpperCase(),
      '😀',
      'A'.repeat(8192),
    ]) {
      assert.equal(await codeOf(path, wrong), 'invalid_link', `${path} ${wrong.slice(0, 20)}`)
    }
    for (const wrong of [7, null, undefined, {}, 'A'.repeat(8193)])
      assert.equal(await codeOf(path, wrong), 'invalid_link')
  }
  assert.equal(await confirmed(account), false)
  assert.equal((await spend(CONFIRM, ` ${token}\n`)).status, 200, 'a copied link may bring spaces')
})

test('a link of one purpose opens nothing else', async () => {
  const { email, account, token } = await unconfirmed()
  assert.equal(await codeOf(REDEEM, token), 'invalid_link')
  assert.equal(await codeOf(VERIFY, token), 'invalid_link')
  const recovery = await recovering(email)
  assert.equal(await codeOf(CONFIRM, recovery), 'invalid_link')
  assert.equal(await codeOf(VERIFY, recovery), 'invalid_link')
  assert.equal(await confirmed(account), false)
  // Sealed for the right purpose, and yet naming the row of the other one.
  const { keyring } = house.app.house
  const rows = await house.database.database.rows(linkIds, { tenantId: account.tenantId })
  const idOf = (purpose: string) => rows.find((row) => row.purpose === purpose)?.linkId ?? ''
  const expiresAt = Date.now() + 60_000
  const crossed = sealLink(keyring, {
    purpose: 'signup.confirm',
    id: `${account.tenantId} ${idOf('recover')}`,
    expiresAt,
  })
  assert.equal(await codeOf(CONFIRM, crossed), 'link_used')
  const other = await unconfirmed()
  const stolen = sealLink(keyring, {
    purpose: 'signup.confirm',
    id: `${other.account.tenantId} ${idOf('confirm')}`,
    expiresAt,
  })
  assert.equal(await codeOf(CONFIRM, stolen), 'link_used')
  assert.equal(await confirmed(other.account), false)
})

const linkIds = statement<{ linkId: string; purpose: string }, { tenantId: number }>(
  'test.link_ids',
  'select link_id as "linkId", purpose from account_links where tenant_id = $tenantId::int',
)

test('a link works once, and of ten at the same moment one', async () => {
  const { email, account, token } = await unconfirmed()
  const replies = await Promise.all(Array.from({ length: 10 }, () => spend(CONFIRM, token)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(400)])
  assert.ok(replies.every(({ status, error }) => status === 200 || error?.code === 'link_used'))
  const won = replies.find(({ status }) => status === 200)
  assert.deepEqual(won?.body, { confirmed: true, tenantId: account.tenantId, name: 'Corner Shop', email })
  const recovery = await recovering(email)
  const redeemed = await Promise.all(Array.from({ length: 10 }, () => spend(REDEEM, recovery)))
  assert.equal(redeemed.filter(({ status }) => status === 200).length, 1)
  assert.ok(redeemed.every(({ status, error }) => status === 200 || error?.code === 'invalid_link'))
})

test('what a module sealed into a link is for that module, and without it the link is invalid', async () => {
  const at = house.app.house
  const wanted = { email: newAddress(), name: 'Corner Shop', language: 'en' } as const
  const sealed = (content: readonly unknown[], inMs = HOUR) =>
    sealVerifyLink(at, wanted, { content, expiresAt: Date.now() + inMs })
  const addition = { write: async () => {}, nextSteps: [] }
  const read: (readonly unknown[])[] = []
  const openClaim = async (_: unknown, content: readonly unknown[]) => {
    read.push(content)
    return addition
  }
  assert.deepEqual(await openVerifyLink(at, sealed([7, 'claim']), openClaim), { ...wanted, addition })
  assert.deepEqual(read, [[7, 'claim']])
  await assert.rejects(openVerifyLink(at, sealed([7, 'claim'])), { code: 'invalid_link' })
  assert.deepEqual(await openVerifyLink(at, sealed([])), { ...wanted, addition: undefined })
  const refuseClaim = async () => {
    throw refuse('sandbox_expired', 'It is gone.')
  }
  const expired = sealed([7, 'claim'], -1)
  await assert.rejects(openVerifyLink(at, expired, refuseClaim), { code: 'sandbox_expired' })
  await assert.rejects(openVerifyLink(at, expired, openClaim), { code: 'link_expired' })
})

test('only the newest link works', async () => {
  const { email, account, token } = await unconfirmed()
  const again = await house.ask('POST', '/v1/account/confirmation', { key: account.apiKey, from: newClient() })
  assert.equal(again.status, 202)
  const newest = tokenIn((await house.mailsTo(email)).at(-1))
  assert.notEqual(newest, token)
  assert.equal(await codeOf(CONFIRM, token), 'link_used')
  const [first, second] = [await recovering(email), await recovering(email)]
  assert.equal(await codeOf(REDEEM, first), 'invalid_link')
  assert.equal((await spend(REDEEM, second)).status, 200)
  assert.equal((await spend(CONFIRM, newest)).status, 200, 'a link of another purpose replaces none')
})

test('a link ends after its lifetime, to the second, and a later link of the mail is not sent', async () => {
  const clock = runningClock()
  await using own = await openMailedHouse(
    { 'Signup:LinkLifetimeMinutes': '1440', 'Signup:RecoveryLinkLifetimeMinutes': '1440' },
    { clock },
  )
  const { email, token } = await unconfirmed(own)
  const recovery = await recovering(email, own)
  const inTime = await unconfirmed(own)
  // No test takes half an hour, however busy its machine is.
  clock.moveOn(DAY - HOUR / 2)
  assert.equal((await spend(CONFIRM, inTime.token, own)).status, 200, 'it works until then')
  clock.moveOn(HOUR / 2)
  assert.equal(await codeOf(CONFIRM, token, own), 'link_expired')
  assert.equal(await codeOf(REDEEM, recovery, own), 'link_expired')
  // An expired link of another purpose is not told from one that never was.
  assert.equal(await codeOf(REDEEM, token, own), 'invalid_link')
  const late = newAddress()
  await own.signUp({ email: late })
  clock.moveOn(DAY)
  assert.equal((await own.mailsTo(late)).length, 0, 'a link that does not work any more is not mailed')
})

test('a recovery link is void once a newer secret key exists', async () => {
  const { email, account } = await unconfirmed()
  const token = await recovering(email)
  const issued = await house.ask('POST', '/v1/account/keys', { key: account.apiKey, body: { kind: 'secret' } })
  assert.equal(issued.status, 200)
  assert.equal(await codeOf(REDEEM, token), 'invalid_link')
  assert.equal((await house.ask('GET', '/v1/account', { key: account.apiKey })).status, 200)
  await house.database.database.run(age, { tenantId: account.tenantId, hours: 2 })
  assert.equal((await spend(REDEEM, await recovering(email))).status, 200)
})

test('links of an erased workspace open nothing', async () => {
  const { email, account, token } = await unconfirmed()
  const recovery = await recovering(email)
  await house.ask('DELETE', '/v1/account', { key: account.apiKey, body: { confirm: 'Corner Shop' } })
  assert.equal(await codeOf(CONFIRM, token), 'invalid_link')
  assert.equal(await codeOf(REDEEM, recovery), 'invalid_link')
  const before = house.sink.mails.length
  await house.ask('POST', '/v1/signup/recover', { body: { email }, from: newClient() })
  await house.work()
  assert.equal(house.sink.mails.length, before)
})

test('following a link changes nothing: no GET acts', async () => {
  const { account, token } = await unconfirmed()
  for (const path of [
    `${CONFIRM}?token=${token}`,
    `${CONFIRM}/${token}`,
    `/account/confirm?confirm=${token}`,
    `/account/recover?recover=${token}`,
  ]) {
    await house.ask('GET', path)
  }
  assert.equal((await house.ask('GET', CONFIRM)).error?.code, 'method_not_allowed')
  assert.equal(await confirmed(account), false)
  assert.equal((await spend(CONFIRM, token)).status, 200)
})

test('ten thousand altered tokens open nothing', async () => {
  const { account, token } = await unconfirmed()
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const altered = new Set<string>()
  // Every letter of the token replaced by others, then several at a time.
  while (altered.size < 10_000) {
    const signs = [...token]
    const changes = altered.size < 6_000 ? 1 : randomInt(2, 6)
    for (let change = 0; change < changes; change++) {
      signs[altered.size < 6_000 ? altered.size % token.length : randomInt(token.length)] =
        letters[randomInt(64)] ?? 'A'
    }
    const made = signs.join('')
    if (made !== token) altered.add(made)
  }
  const codes = new Set<string | undefined>()
  const all = [...altered]
  for (let at = 0; at < all.length; at += 200) {
    const replies = await Promise.all(all.slice(at, at + 200).map((one) => codeOf(CONFIRM, one)))
    for (const code of replies) codes.add(code)
  }
  assert.deepEqual([...codes], ['invalid_link'])
  assert.equal(await confirmed(account), false)
  assert.equal((await spend(CONFIRM, token)).status, 200)
})
