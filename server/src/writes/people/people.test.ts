// People who are invited, ask for a link, and sign in.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import type { NewTenant } from '../../../testkit/house.ts'
import { linkIn, type MailedHouse, newAddress, openMailedHouse } from '../../../testkit/mailed-house.ts'
import { statement } from '../../kernel/db/index.ts'

type Opened = z.output<typeof contract.OpenedSession>
type Invited = z.output<typeof contract.Invited>

let house: MailedHouse
before(async () => {
  house = await openMailedHouse()
})
after(() => house.close())

const put = (tenant: NewTenant, people: object[]) => house.ask('PUT', '/v1/users', { key: tenant.apiKey, body: people })
const askLink = (key: string, email: string, more: object = {}, at = house) =>
  at.ask('POST', '/v1/user-sessions/sign-in', { key, body: { email, ...more } })
const newest = async (email: string) => (await house.mailsTo(email)).at(-1)
const tokenOf = (link: string) => /#signin=([\w-]+)$/.exec(link)?.[1] ?? assert.fail(`no sign-in link: ${link}`)
const open = (key: string, token: unknown) => house.ask<Opened>('POST', '/v1/user-sessions', { key, body: { token } })
const current = (key: string, session: string, method = 'GET') =>
  house.ask<Opened>(method, '/v1/user-sessions/current', { key, headers: { 'x-service-user-session': session } })

async function workspace(people: object[] = []) {
  const tenant = await house.tenant()
  if (people.length > 0) assert.equal((await put(tenant, people)).status, 200)
  return { tenant, inbox: await house.key(tenant.tenantId, 'inbox') }
}

async function mailedToken(key: string, email: string): Promise<string> {
  assert.equal((await askLink(key, email)).status, 202)
  return tokenOf(linkIn(await newest(email)))
}

async function signedIn(email = newAddress()) {
  const { tenant, inbox } = await workspace([{ displayName: 'Ana', email, role: 'manager' }])
  const { body } = await open(inbox, await mailedToken(inbox, email))
  return { tenant, inbox, email, session: body.token, user: body.user }
}

const shift = statement<unknown, { tenantId: number; created: string; used: string }>(
  'test.shift_sessions',
  `update user_sessions set expires_at = (expires_at at time zone 'UTC' - $created::interval) at time zone 'UTC',
          last_used_at = (last_used_at at time zone 'UTC' - $used::interval) at time zone 'UTC'
    where tenant_id = $tenantId::int`,
)
const ageLinks = statement<unknown, { tenantId: number }>(
  'test.age_sign_in_links',
  `update sign_in_links set expires_at = now() where tenant_id = $tenantId::int`,
)
const reasonOf = ({ status, error }: { status: number; error: { code: string; reason?: string } | undefined }) => [
  status,
  error?.code,
  error?.reason,
]
const SESSION = (reason: string) => [401, 'invalid_user_session', reason]
const LINK = (reason: string) => [401, 'invalid_sign_in_link', reason]

test('an invitation registers somebody without a userId and mails the way in, which signs nobody in', async () => {
  const { tenant, inbox } = await workspace()
  const email = newAddress()
  const invite = (body: object) => house.ask<Invited>('POST', '/v1/users/invitations', { key: tenant.apiKey, body })
  const first = await invite({ email, displayName: 'Ana', role: 'manager', language: 'ka' })
  assert.equal(first.status, 202)
  const { user, ...rest } = first.body
  assert.deepEqual(rest, { invited: true, status: 'queued' })
  assert.deepEqual(
    { ...user, id: 0, createdAt: '' },
    { id: 0, userId: null, displayName: 'Ana', email, role: 'manager', active: true, createdAt: '' },
  )
  const mail = await newest(email)
  assert.equal(mail?.headers.get('content-language'), 'ka')
  const link = linkIn(mail)
  assert.ok(link.startsWith(`${house.settings.mail.inboxBaseUrl}?`), link)
  assert.ok(!link.includes('#'), 'it carries nothing that signs in')
  assert.ok(!link.includes(email), 'nor an address, which a log would keep')
  assert.deepEqual(reasonOf(await open(inbox, /for=([\w-]+)/.exec(link)?.[1] ?? '')), LINK('unknown'))
  const again = await invite({ email: email.toUpperCase(), displayName: 'Somebody else', role: 'owner' })
  assert.deepEqual(again.body.user, user, 'inviting somebody who is registered changes nothing')
  assert.equal((await house.mailsTo(email)).length, 2, 'and mails again')
  const plain = await invite({ email: newAddress() })
  assert.equal(plain.body.user.role, 'member')
  assert.match(plain.body.user.displayName, /^person\d+$/)
})

test('an invitation that cannot be is refused whole', async () => {
  const shared = newAddress()
  const { tenant } = await workspace([
    { userId: 1, displayName: 'Ana', email: shared },
    { userId: 2, displayName: 'Bela', email: shared },
    { userId: 3, displayName: 'Gone', email: 'gone@shop.example', active: false },
  ])
  const invite = (body: object) => house.ask<Invited>('POST', '/v1/users/invitations', { key: tenant.apiKey, body })
  const count = async () => (await house.ask('GET', '/v1/users', { key: tenant.apiKey })).body.count
  assert.deepEqual(reasonOf(await invite({ email: shared })), [409, 'user_email_ambiguous', undefined])
  for (const body of [{}, { email: 'nobody' }, { email: 'a@b' }])
    assert.deepEqual(reasonOf(await invite(body)).slice(0, 2), [400, 'invalid_email'])
  assert.equal((await invite({ email: newAddress(), role: ' x' })).error?.code, 'invalid_request')
  const gone = await invite({ email: 'gone@shop.example' })
  assert.deepEqual([gone.body.status, gone.body.reason], ['not_sent', 'user_inactive'])
  assert.equal(await count(), 3)
})

test('a workspace sends so many invitations an hour, and whoever is one too many is not registered', async () => {
  await using own = await openMailedHouse({ 'Mail:MaxInvitationsPerHour': '2' })
  const { apiKey: key } = await own.tenant()
  const invite = () => own.ask('POST', '/v1/users/invitations', { key, body: { email: newAddress() } })
  assert.deepEqual([(await invite()).status, (await invite()).status], [202, 202])
  assert.deepEqual(reasonOf(await invite()), [429, 'invitation_limit', undefined])
  assert.equal((await own.ask('GET', '/v1/users', { key })).body.count, 2)
})

test('an unconfirmed workspace holds invitations, and asks for no link but its owner’s', async () => {
  const email = newAddress()
  const { apiKey: key } = await house.signUp({ email })
  const guest = newAddress()
  const invited = await house.ask<Invited>('POST', '/v1/users/invitations', { key, body: { email: guest } })
  assert.deepEqual([invited.body.status, invited.body.reason], ['held', 'third_party_mail'])
  for (const address of [guest, newAddress()])
    assert.deepEqual(reasonOf(await askLink(key, address)), [403, 'email_unconfirmed', 'third_party_mail'])
  await house.ask('PUT', '/v1/users', { key, body: [{ userId: 1, displayName: 'Owner', email }] })
  assert.equal((await askLink(key, email.replace('@', '+x@'))).status, 202)
  assert.equal((await askLink(key, email)).status, 202)
  assert.match(linkIn(await newest(email)), /#signin=/)
})

test('asking for a link says of nobody whether they are registered', async () => {
  const [known, idle, shared] = [newAddress(), newAddress(), newAddress()]
  const { inbox } = await workspace([
    { userId: 1, displayName: 'Ana', email: known },
    { userId: 2, displayName: 'Gone', email: idle, active: false },
    { userId: 3, displayName: 'One', email: shared },
    { userId: 4, displayName: 'Other', email: shared },
  ])
  const answers = []
  for (const email of [known, idle, shared, newAddress()]) {
    const { status, body } = await askLink(inbox, email)
    answers.push([status, { ...body, email: body.email === email }])
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  for (const [email, count] of [
    [known, 1],
    [idle, 0],
    [shared, 0],
  ] as const)
    assert.equal((await house.mailsTo(email)).length, count)
  assert.equal((await askLink(inbox, 'nobody')).error?.code, 'invalid_email')
  for (let more = 0; more < 6; more++) assert.deepEqual((await askLink(inbox, known)).status, 202)
  assert.equal((await house.mailsTo(known)).length, 5, 'five mails in the window of a link')
})

test('a deployment without mail says so', async () => {
  await using own = await openMailedHouse({ 'Mail:Transport': 'none', 'Signup:VerifyEmail': 'false' })
  const { apiKey: key } = await own.tenant()
  assert.deepEqual(reasonOf(await askLink(key, newAddress(), {}, own)), [503, 'mail_not_configured', undefined])
  const { body } = await own.ask<Invited>('POST', '/v1/users/invitations', { key, body: { email: newAddress() } })
  assert.deepEqual([body.status, body.reason], ['not_sent', 'mail_not_configured'])
})

test('a link opens one session, and the session says who is signed in', async () => {
  const email = newAddress()
  const { tenant, inbox } = await workspace([{ userId: 7, displayName: 'Ana', email, role: 'manager' }])
  const token = await mailedToken(inbox, email)
  const { status, body } = await open(inbox, token)
  assert.equal(status, 200)
  assert.match(body.token, /^tus_[0-9a-f]{48}$/)
  assert.deepEqual(
    [body.tenantId, body.tenantName, body.user.userId, body.user.email],
    [tenant.tenantId, tenant.name, 7, email],
  )
  const hours = (Date.parse(body.expiresAt) - Date.now()) / 3_600_000
  assert.ok(Math.abs(hours - 12) < 0.1, String(hours))
  const { token: _shownOnce, ...signedIn } = body
  for (const key of [inbox, tenant.apiKey]) assert.deepEqual((await current(key, body.token)).body, signedIn)
  assert.deepEqual(reasonOf(await open(inbox, token)), LINK('spent'))
  assert.deepEqual((await current(inbox, body.token, 'DELETE')).body, { closed: true })
  assert.deepEqual(reasonOf(await current(inbox, body.token)), SESSION('closed'))
})

test('two who spend one link at once get one session', async () => {
  const email = newAddress()
  const { inbox } = await workspace([{ userId: 7, displayName: 'Ana', email }])
  const token = await mailedToken(inbox, email)
  const replies = await Promise.all(Array.from({ length: 8 }, () => open(inbox, token)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(7).fill(401)])
  for (const reply of replies) if (reply.status === 401) assert.deepEqual(reasonOf(reply), LINK('spent'))
})

test('a link that is spent spends the others that its person was mailed', async () => {
  const email = newAddress()
  const { inbox } = await workspace([{ userId: 7, displayName: 'Ana', email }])
  const [first, second] = [await mailedToken(inbox, email), await mailedToken(inbox, email)]
  assert.equal((await open(inbox, first)).status, 200, 'an earlier mail works, too')
  assert.deepEqual(reasonOf(await open(inbox, second)), LINK('spent'))
})

test('a link that opens nothing says why', async () => {
  const email = newAddress()
  const { tenant, inbox } = await workspace([{ userId: 7, displayName: 'Ana', email }])
  const token = await mailedToken(inbox, email)
  for (const wrong of ['', 'x', 'tus_123', token.slice(0, 40), `${token} x`, 5, null, undefined])
    assert.deepEqual(reasonOf(await open(inbox, wrong)), LINK('malformed'), String(wrong))
  const flipped = `${token.slice(0, 60)}${token[60] === 'A' ? 'B' : 'A'}${token.slice(61)}`
  assert.deepEqual(reasonOf(await open(inbox, flipped)), LINK('unknown'))
  const other = await workspace()
  assert.deepEqual(reasonOf(await open(other.inbox, token)), LINK('unknown'), 'another workspace’s key')
  await put(tenant, [{ userId: 7, active: false }])
  assert.deepEqual(reasonOf(await open(inbox, token)), LINK('user_inactive'))
  await put(tenant, [{ userId: 7, active: true }])
  await house.database.database.run(ageLinks, { tenantId: tenant.tenantId })
  assert.deepEqual(reasonOf(await open(inbox, token)), LINK('expired'))
  assert.equal((await open(inbox, await mailedToken(inbox, email))).status, 200)
})

test('a session ends: by age, by idleness, by inactivity, by removal, and it is nobody else’s', async () => {
  const { tenant, inbox, session, user, email } = await signedIn()
  const { tenantId } = tenant
  const age = (created: string, used: string) => house.database.database.run(shift, { tenantId, created, used })
  for (const wrong of ['tus_12', 'x', `${session}0`, '']) {
    const reply = await current(inbox, wrong)
    assert.deepEqual(reasonOf(reply), SESSION('malformed'), wrong)
  }
  assert.deepEqual(reasonOf(await current(inbox, `tus_${'0'.repeat(48)}`)), SESSION('unknown'))
  const other = await workspace()
  assert.deepEqual(reasonOf(await current(other.inbox, session)), SESSION('unknown'))
  await age('0', '119 minutes')
  assert.equal((await current(inbox, session)).status, 200, 'its use is written')
  await age('0', '2 minutes')
  assert.equal((await current(inbox, session)).status, 200)
  await age('0', '121 minutes')
  assert.deepEqual(reasonOf(await current(inbox, session)), SESSION('expired'))
  await age('0', '-121 minutes')
  assert.equal((await current(inbox, session)).status, 200)
  await put(tenant, [{ id: user.id, role: 'owner', displayName: 'Ana B.' }])
  assert.equal((await current(inbox, session)).status, 200, 'another role or name signs nobody out')
  await put(tenant, [{ id: user.id, active: false, email }])
  assert.deepEqual(reasonOf(await current(inbox, session)), SESSION('user_inactive'))
  await put(tenant, [{ id: user.id, active: true }])
  assert.deepEqual(reasonOf(await current(inbox, session)), SESSION('closed'), 'it does not come back')
  const { body } = await open(inbox, await mailedToken(inbox, email))
  await age('13 hours', '0')
  assert.deepEqual(reasonOf(await current(inbox, body.token)), SESSION('expired'))
  const gone = await house.ask('DELETE', `/v1/users/${user.id}`, { key: tenant.apiKey })
  assert.deepEqual(gone.body, { removed: true, id: user.id, warnings: [] })
  assert.deepEqual(reasonOf(await current(inbox, body.token)), SESSION('user_inactive'))
  assert.equal(
    (await house.ask('DELETE', `/v1/users/${user.id}`, { key: tenant.apiKey })).error?.code,
    'user_not_found',
  )
})

test('without a session an inbox key is told that it needs one, and elsewhere that it has no business there', async () => {
  const { tenant, inbox, session } = await signedIn()
  const bare = await house.ask('GET', '/v1/actions', { key: inbox })
  assert.deepEqual(reasonOf(bare), [403, 'insufficient_scope', 'user_session_required'])
  const elsewhere = await house.ask('GET', '/v1/users', { key: inbox, headers: { 'x-service-user-session': session } })
  assert.deepEqual(reasonOf(elsewhere), [403, 'insufficient_scope', 'not_an_inbox_route'])
  const ignored = await house.ask('GET', '/v1/users', {
    key: tenant.apiKey,
    headers: { 'x-service-user-session': 'x' },
  })
  assert.equal(ignored.status, 200)
  assert.deepEqual(reasonOf(await house.ask('GET', '/v1/user-sessions/current', { key: tenant.apiKey })), [
    403,
    'insufficient_scope',
    'user_session_required',
  ])
})

test('nothing of a link or a session is in a log or in the database', async () => {
  const { tenant, session } = await signedIn()
  const everything = house.logged.join('\n')
  assert.ok(!everything.includes(session) && !everything.includes('signin='))
  const dump = statement<{ text: string }, { tenantId: number }>(
    'test.dump_sessions',
    `select coalesce(string_agg(s::text, ' '), '') || coalesce((select string_agg(m::text, ' ') from mails m where m.tenant_id = $tenantId::int), '') as text
       from user_sessions s where s.tenant_id = $tenantId::int`,
  )
  const { text } = (await house.database.database.one(dump, { tenantId: tenant.tenantId })) ?? assert.fail()
  assert.ok(text.length > 0 && !text.includes(session.slice(4)))
})

test('of several who ask before anybody is mailed each is, however few the planner of the database expects', async () => {
  const emails = [newAddress(), newAddress(), newAddress(), newAddress()]
  const { inbox } = await workspace(emails.map((email) => ({ displayName: 'Ana', email, role: 'manager' })))
  for (const [place, email] of emails.entries()) {
    assert.equal((await askLink(inbox, email)).status, 202)
    // It saw one, and joins as for one from now on.
    if (place === 0) await house.database.database.script('analyze sign_in_requests')
  }
  const mailed = []
  for (const email of emails) mailed.push((await house.mailsTo(email)).length)
  assert.deepEqual(mailed, [1, 1, 1, 1])
})
