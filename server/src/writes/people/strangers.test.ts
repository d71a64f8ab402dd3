// Workspaces of strangers that list somebody's address: they keep nobody out, and multiply no mail.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Mail } from '../../../testkit/mail-sink.ts'
import { type MailedHouse, newAddress, openMailedHouse } from '../../../testkit/mailed-house.ts'
import { tenantsOfAddress } from './queries.ts'
import { askSignIn } from './sign-in.ts'

const MOST_NEWCOMERS = 3
let house: MailedHouse
before(async () => {
  house = await openMailedHouse({ 'Mail:MaxNewSignInRecipientsPerDay': String(MOST_NEWCOMERS) })
})
after(() => house.close())

const put = (key: string, people: object[]) => house.ask('PUT', '/v1/users', { key, body: people })
/** As the page asks, which knows of no workspace. */
const askOnPage = (email: string) => askSignIn(house.app.house, { tenantId: null, email, language: 'en' })
const textOf = (mail: Mail | undefined) => mail?.parts.find(({ type }) => type.startsWith('text/plain'))?.text ?? ''
const linksIn = (text: string) => [...text.matchAll(/#signin=([\w-]+)/g)].map(([, token = '']) => token)
const open = (key: string, token: string) => house.ask('POST', '/v1/user-sessions', { key, body: { token } })

async function listing(email: string, name?: string) {
  const tenant = await house.tenant(name)
  assert.equal((await put(tenant.apiKey, [{ userId: 1, displayName: 'Dora', email, role: 'manager' }])).status, 200)
  return tenant
}

test('however many newer workspaces list an address, one mail has a link to each, the oldest first', async () => {
  const email = newAddress()
  const own = await listing(email, 'Tea and Clay')
  for (let at = 0; at < 11; at++) await listing(email, `Stranger ${at}`)
  for (let asks = 0; asks < 7; asks++) await askOnPage(email)
  const mails = await house.mailsTo(email)
  assert.equal(mails.length, 5, 'five mails in the window of a link, however many workspaces there are')
  for (const text of mails.map(textOf)) {
    assert.equal(linksIn(text).length, 12)
    assert.ok(text.indexOf('Tea and Clay') < text.indexOf('Stranger 0'), text)
  }
  const [token = ''] = linksIn(textOf(mails.at(-1)))
  assert.equal((await open(own.apiKey, token)).status, 200)
})

test('a workspace in which the person is inactive gets no link in the mail', async () => {
  const email = newAddress()
  const own = await listing(email, 'Tea and Clay')
  const former = await listing(email, 'Former employer')
  await put(former.apiKey, [{ userId: 1, active: false }])
  await askOnPage(email)
  const text = textOf((await house.mailsTo(email)).at(-1))
  assert.equal(linksIn(text).length, 1)
  assert.doesNotMatch(text, /Former employer/)
  const values = { email, emailHash: null, ofTenant: null, limit: 10 }
  const found = await house.database.database.rows(tenantsOfAddress, values)
  assert.deepEqual(
    found.map(({ tenantId }) => tenantId),
    [own.tenantId],
    'it takes no place among the workspaces of the mail',
  )
})

test('unconfirmed workspaces of strangers send nothing and keep nobody out', async () => {
  const email = newAddress()
  await listing(email, 'Tea and Clay')
  for (let at = 0; at < 11; at++) {
    const { apiKey } = await house.signUp({ name: `Stranger ${at}` })
    await put(apiKey, [{ userId: 1, displayName: 'Dora', email }])
  }
  await askOnPage(email)
  const [mail, ...more] = await house.mailsTo(email)
  assert.deepEqual([mail?.headers.get('subject'), more.length], ['Sign in to Tea and Clay', 0])
})

/** Signs in another person of the workspace. */
async function signInColleague(key: string): Promise<void> {
  const email = newAddress()
  await put(key, [{ userId: 2, displayName: 'Colleague', email }])
  await house.ask('POST', '/v1/user-sessions/sign-in', { key, body: { email } })
  const [token = ''] = linksIn(textOf((await house.mailsTo(email)).at(-1)))
  assert.equal((await open(key, token)).status, 200)
}

test('where somebody has signed in comes before where they were listed earlier', async () => {
  const email = newAddress()
  const stranger = await listing(email, 'Stranger of long ago')
  await signInColleague(stranger.apiKey)
  const own = await listing(email, 'Tea and Clay')
  await house.ask('POST', '/v1/user-sessions/sign-in', { key: own.apiKey, body: { email } })
  const [token = ''] = linksIn(textOf((await house.mailsTo(email)).at(-1)))
  assert.equal((await open(own.apiKey, token)).status, 200)
  await askOnPage(email)
  const text = textOf((await house.mailsTo(email)).at(-1))
  assert.equal(linksIn(text).length, 2)
  assert.ok(text.indexOf('Tea and Clay') < text.indexOf('Stranger of long ago'), text)
})

test('a workspace’s sign-in mails reach so many newcomers a day, and nobody is told', async () => {
  const { apiKey: key } = await house.tenant()
  const emails = Array.from({ length: MOST_NEWCOMERS + 2 }, newAddress)
  await put(
    key,
    emails.map((email, at) => ({ userId: at + 1, displayName: `Person ${at}`, email })),
  )
  const ask = async (email: string) => {
    const { status, body } = await house.ask('POST', '/v1/user-sessions/sign-in', { key, body: { email } })
    assert.deepEqual([status, body.accepted], [202, true])
    return (await house.mailsTo(email)).length
  }
  const sent: number[] = []
  for (const email of emails) sent.push(await ask(email))
  assert.deepEqual(sent, [1, 1, 1, 0, 0])
  const [first = '', , , fourth = ''] = emails
  assert.equal(await ask(first), 2, 'whoever had one today gets another')
  const tokens = linksIn(textOf((await house.mailsTo(first)).at(-1)))
  assert.equal((await open(key, tokens[0] ?? '')).status, 200)
  assert.equal(await ask(fourth), 1, 'somebody who came in is no newcomer')
})
