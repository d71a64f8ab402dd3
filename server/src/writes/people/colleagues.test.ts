// Sign-in links in a workspace of several people: a link and its session belong to one person.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { linkIn, type MailedHouse, newAddress, openMailedHouse } from '../../../testkit/mailed-house.ts'
import { statement } from '../../kernel/db/index.ts'

type Opened = z.output<typeof contract.OpenedSession>

let house: MailedHouse
before(async () => {
  house = await openMailedHouse()
})
after(() => house.close())

const expireLinks = statement<unknown, { tenantId: number }>(
  'test.expire_links',
  'update sign_in_links set expires_at = now() where tenant_id = $tenantId::int',
)

/** A workspace of two active people and an inactive one. */
async function workspaceOfThree() {
  const { tenantId, apiKey } = await house.tenant()
  const [ana, bela] = [newAddress(), newAddress()]
  const put = (people: object[]) => house.ask('PUT', '/v1/users', { key: apiKey, body: people })
  const { status, text } = await put([
    { userId: 1, displayName: 'Ana', email: ana, role: 'manager' },
    { userId: 2, displayName: 'Bela', email: bela, role: 'manager' },
    { userId: 3, displayName: 'Chris', email: newAddress(), active: false },
  ])
  assert.equal(status, 200, text)
  return { tenantId, key: apiKey, ana, bela, put }
}

async function mailedToken(key: string, email: string): Promise<string> {
  const { status } = await house.ask('POST', '/v1/user-sessions/sign-in', { key, body: { email } })
  assert.equal(status, 202)
  const link = linkIn((await house.mailsTo(email)).at(-1))
  return /#signin=([\w-]+)$/.exec(link)?.[1] ?? assert.fail(`no sign-in link: ${link}`)
}
const open = (key: string, token: string) => house.ask<Opened>('POST', '/v1/user-sessions', { key, body: { token } })

test('the link of a deactivated person opens no session while a colleague is active', async () => {
  const { key, ana, put } = await workspaceOfThree()
  const token = await mailedToken(key, ana)
  await put([{ userId: 1, active: false }])
  const refused = await open(key, token)
  assert.deepEqual([refused.status, refused.error?.reason], [401, 'user_inactive'])
})

test('the link of a deactivated person opens no session for a colleague who has taken over the address', async () => {
  const { key, ana, put } = await workspaceOfThree()
  const token = await mailedToken(key, ana)
  await put([
    { userId: 1, active: false },
    { userId: 2, email: ana },
  ])
  const refused = await open(key, token)
  assert.deepEqual([refused.status, refused.error?.reason], [401, 'user_inactive'])
})

test('the link of an active person opens their session while a colleague is inactive', async () => {
  const { key, ana, bela } = await workspaceOfThree()
  for (const [email, userId] of [
    [bela, 2],
    [ana, 1],
  ] as const) {
    const opened = await open(key, await mailedToken(key, email))
    assert.deepEqual([opened.status, opened.body.user?.userId], [200, userId])
  }
})

test('a session spends the other links of its person and none of a colleague', async () => {
  const { key, ana, bela } = await workspaceOfThree()
  const [first, second, colleague] = [
    await mailedToken(key, ana),
    await mailedToken(key, ana),
    await mailedToken(key, bela),
  ]
  assert.equal((await open(key, first)).status, 200)
  assert.equal((await open(key, second)).error?.reason, 'spent')
  assert.equal((await open(key, colleague)).status, 200)
})

test('the state of a link is read from the link itself while a colleague has a live one', async () => {
  const { key, tenantId, ana, bela } = await workspaceOfThree()
  const expired = await mailedToken(key, ana)
  await house.database.database.run(expireLinks, { tenantId })
  const live = await mailedToken(key, bela)
  assert.equal((await open(key, expired)).error?.reason, 'expired')
  assert.equal((await open(key, live)).status, 200)
  assert.equal((await open(key, live)).error?.reason, 'spent')
})

/** Queues the mails with the links, and sends none. */
async function queueLinks(key: string, emails: readonly string[]): Promise<void> {
  for (const email of emails)
    assert.equal((await house.ask('POST', '/v1/user-sessions/sign-in', { key, body: { email } })).status, 202)
  const duty = house.app.duties.find(({ name }) => name === 'people.sign_ins')
  assert.equal(await duty?.work(AbortSignal.timeout(30_000)), emails.length)
}
const countMails = async (email: string) => (await house.mailsTo(email)).length

test('a queued link is mailed to a person who is still active, and to no one deactivated since', async () => {
  const { key, ana, bela, put } = await workspaceOfThree()
  await queueLinks(key, [ana, bela])
  await put([{ userId: 1, active: false }])
  assert.deepEqual([await countMails(ana), await countMails(bela)], [0, 1])
})

test('a queued link that has expired is not mailed', async () => {
  const { key, tenantId, ana } = await workspaceOfThree()
  await queueLinks(key, [ana])
  await house.database.database.run(expireLinks, { tenantId })
  assert.equal(await countMails(ana), 0)
})

test('a deactivated or removed person is signed out, and a colleague stays signed in', async () => {
  const { key, ana, bela, put } = await workspaceOfThree()
  const { users } = (await house.ask<{ users: { id: number; userId: number | null }[] }>('GET', '/v1/users', { key }))
    .body
  const idOf = (userId: number) => users.find((user) => user.userId === userId)?.id
  const sessionOf = async (email: string) => (await open(key, await mailedToken(key, email))).body.token
  const statusOf = async (session: string) => {
    const headers = { 'x-service-user-session': session }
    return (await house.ask('GET', '/v1/user-sessions/current', { key, headers })).status
  }
  const [first, second] = [await sessionOf(ana), await sessionOf(bela)]
  await put([{ userId: 1, active: false }])
  assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200])
  await put([{ userId: 1, active: true }])
  const again = await sessionOf(ana)
  assert.equal((await house.ask('DELETE', `/v1/users/${idOf(2)}`, { key })).status, 200)
  assert.deepEqual([await statusOf(again), await statusOf(second)], [200, 401])
})
