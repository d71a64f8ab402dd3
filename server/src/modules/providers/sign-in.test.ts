// The people of all businesses of a provider, with one key.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import type { Mail } from '../../../testkit/mail-sink.ts'
import { type MailedHouse, newAddress, openMailedHouse } from '../../../testkit/mailed-house.ts'
import { type NewBusiness, openProvider, type Provider, withdraw } from '../../../testkit/providers.ts'
import { openApiImport } from '../openapi-import/module.ts'
import { providers } from './module.ts'

let house: MailedHouse
before(async () => {
  house = await openMailedHouse({}, { modules: [openApiImport, providers] })
})
after(() => house.close())

type Opened = z.output<typeof contract.OpenedSession>

const textOf = (mail: Mail | undefined): string =>
  mail?.parts.find(({ type }) => type.startsWith('text/plain'))?.text ?? ''
const tokensOf = (mail: Mail | undefined): string[] =>
  [...textOf(mail).matchAll(/#signin=([\w-]+)/g)].flatMap(([, token]) => token ?? [])

const inboxKey = async (provider: Provider) => (await provider.ask<{ key: string }>('POST', 'inbox-keys', {})).body.key
const askLink = (key: string, email: string, more: object = {}) =>
  house.ask('POST', '/v1/user-sessions/sign-in', { key, body: { email, ...more } })
const open = (key: string, token: string) => house.ask<Opened>('POST', '/v1/user-sessions', { key, body: { token } })
const withSession = (key: string, session: string) => ({ key, headers: { 'x-service-user-session': session } })

const PAY = { name: 'pay_back', description: 'Pays an order back to whoever placed it.', is_write: true }

async function employing(provider: Provider, name: string, email: string): Promise<NewBusiness> {
  const business = await provider.business({ name })
  const { apiKey: key } = business
  await house.ask('PUT', '/v1/users', { key, body: [{ userId: 7, displayName: 'Ana', email, role: 'manager' }] })
  await house.ask('PUT', '/v1/tools', { key, body: [PAY] })
  return business
}

test('one mail names each business of the person, each link opens its own, and the session decides there alone', async () => {
  const email = newAddress()
  const [provider, other] = [await openProvider(house), await openProvider(house)]
  const [tea, rugs] = [await employing(provider, 'Tea House', email), await employing(provider, 'Rugs', email)]
  await employing(other, 'Foreign', email)
  await house.ask('PUT', '/v1/users', { key: provider.apiKey, body: [{ userId: 1, displayName: 'Own', email }] })
  const key = await inboxKey(provider)
  const asked = await askLink(key, email)
  assert.equal(asked.status, 202)
  const mails = await house.mailsTo(email)
  assert.equal(mails.length, 1, 'one mail')
  const [mail] = mails
  for (const name of ['Tea House', 'Rugs']) assert.ok(textOf(mail).includes(name), name)
  for (const name of ['Foreign', 'Software House']) assert.ok(!textOf(mail).includes(name), name)
  const opened = new Map<number, string>()
  for (const token of tokensOf(mail)) {
    const foreign = await open(await inboxKey(other), token)
    assert.deepEqual([foreign.status, foreign.error?.reason], [401, 'unknown'], 'another provider spends nothing')
    const { status, body, text } = await open(key, token)
    assert.equal(status, 200, text)
    assert.equal(body.user.userId, 7)
    opened.set(body.tenantId, body.token)
  }
  assert.deepEqual([...opened.keys()].toSorted(), [tea.tenantId, rugs.tenantId].toSorted())
  const session = opened.get(tea.tenantId) ?? assert.fail()
  const current = await house.ask('GET', '/v1/user-sessions/current', withSession(key, session))
  assert.deepEqual([current.body.tenantId, current.body.tenantName], [tea.tenantId, 'Tea House'])
  const [inTea, inRugs] = await Promise.all(
    [tea, rugs].map(({ apiKey }) =>
      house.ask<{ actionId: string }>('POST', '/v1/actions', { key: apiKey, body: { tool: 'pay_back' } }),
    ),
  )
  const list = await house.ask<{ actions: { actionId: string }[] }>('GET', '/v1/actions', withSession(key, session))
  assert.deepEqual(
    list.body.actions.map(({ actionId }) => actionId),
    [inTea?.body.actionId],
  )
  const reject = (actionId?: string) =>
    house.ask('POST', `/v1/actions/${actionId}/reject`, { ...withSession(key, session), body: { reason: 'No.' } })
  assert.equal((await reject(inRugs?.body.actionId)).status, 404)
  assert.equal((await reject(inTea?.body.actionId)).status, 200)
  const trail = await house.ask<{ events: { event: string; userId: number }[] }>('GET', '/v1/audit', {
    key: tea.apiKey,
  })
  assert.deepEqual(trail.body.events.map(({ event, userId }) => [event, userId]).at(-1), ['rejected', 7])
})

test('a session reaches nothing through the key of another provider, and a key without one nothing but signing in', async () => {
  const email = newAddress()
  const [provider, other] = [await openProvider(house), await openProvider(house)]
  await employing(provider, 'Tea House', email)
  const key = await inboxKey(provider)
  await askLink(key, email)
  const { body } = await open(key, tokensOf((await house.mailsTo(email)).at(-1))[0] ?? '')
  for (const method of ['GET', 'DELETE']) {
    const refused = await house.ask(method, '/v1/user-sessions/current', withSession(await inboxKey(other), body.token))
    assert.deepEqual([refused.status, refused.error?.reason], [401, 'unknown'])
  }
  for (const sent of ['tus_x', `tus_${'0'.repeat(48)}`]) {
    const refused = await house.ask('GET', '/v1/actions', withSession(key, sent))
    assert.deepEqual(refused.error?.code, 'invalid_user_session')
    assert.equal(refused.error?.reason, sent === 'tus_x' ? 'malformed' : 'unknown')
  }
  const without = await house.ask('GET', '/v1/actions', { key })
  assert.deepEqual([without.error?.code, without.error?.reason], ['insufficient_scope', 'user_session_required'])
  const elsewhere = await house.ask('GET', '/v1/tools', { key })
  assert.deepEqual([elsewhere.error?.code, elsewhere.error?.reason], ['insufficient_scope', 'not_an_inbox_route'])
  assert.equal((await house.ask('DELETE', '/v1/user-sessions/current', withSession(key, body.token))).status, 200)
  const closed = await house.ask('GET', '/v1/actions', withSession(key, body.token))
  assert.equal(closed.error?.reason, 'closed')
})

test('one business alone where the request names it, and nobody of the provider’s own workspace', async () => {
  const [email, own] = [newAddress(), newAddress()]
  const provider = await openProvider(house)
  await employing(provider, 'Tea House', email)
  const rugs = await employing(provider, 'Rugs', email)
  await house.ask('PUT', '/v1/users', { key: provider.apiKey, body: [{ userId: 1, displayName: 'Own', email: own }] })
  assert.equal((await askLink(provider.key, email, { tenantId: rugs.tenantId })).status, 202)
  const [mail, ...others] = await house.mailsTo(email)
  assert.equal(others.length, 0)
  const tokens = tokensOf(mail)
  assert.equal(tokens.length, 1)
  assert.equal((await open(provider.key, tokens[0] ?? '')).body.tenantId, rugs.tenantId)
  const foreign = await askLink(provider.key, email, { tenantId: provider.tenantId })
  assert.deepEqual([foreign.status, foreign.error?.code], [404, 'not_a_child_tenant'])
  assert.equal((await askLink(provider.key, own)).status, 202)
  assert.equal((await house.mailsTo(own)).length, 0)
})

test('the answer is alike for everybody, and after five mails of a window nothing is mailed', async () => {
  const [email, idle] = [newAddress(), newAddress()]
  const provider = await openProvider(house)
  const { apiKey: key } = await employing(provider, 'Tea House', email)
  await house.ask('PUT', '/v1/users', { key, body: [{ userId: 8, displayName: 'Gone', email: idle, active: false }] })
  const answers = []
  for (const one of [email, idle, newAddress(), email, email, email, email, email]) {
    const { status, body } = await askLink(provider.key, one)
    answers.push([status, { ...body, email: body.email === one }])
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.deepEqual([(await house.mailsTo(email)).length, (await house.mailsTo(idle)).length], [5, 0])
})

test('the mail is Georgian where it is asked for, and each link stands on a line of its own', async () => {
  const email = newAddress()
  const provider = await openProvider(house)
  await employing(provider, 'ჩაის სახლი', email)
  await askLink(provider.key, email, { language: 'ka' })
  const [mail] = await house.mailsTo(email)
  assert.equal(mail?.headers.get('content-language'), 'ka')
  assert.match(textOf(mail), /ჩაის სახლი:\nhttps?:\/\/\S+#signin=[\w-]+[a-z0-9]\n/i)
  assert.match(mail?.parts.find(({ type }) => type.startsWith('text/html'))?.text ?? '', /href="[^"]+#signin=/)
})

test('whoever asked before the authority was taken away gets nothing, and what was opened reaches nothing by its keys', async () => {
  const email = newAddress()
  const provider = await openProvider(house)
  const business = await employing(provider, 'Tea House', email)
  const key = await inboxKey(provider)
  await askLink(key, email)
  const { body } = await open(key, tokensOf((await house.mailsTo(email)).at(-1))[0] ?? '')
  assert.equal((await askLink(key, email)).status, 202)
  await withdraw(house, provider.tenantId)
  assert.equal((await house.mailsTo(email)).length, 1)
  for (const path of ['/v1/actions', '/v1/user-sessions/current']) {
    const refused = await house.ask('GET', path, withSession(key, body.token))
    assert.deepEqual([refused.status, refused.error?.code], [403, 'not_a_provider'])
  }
  const own = await house.key(business.tenantId, 'inbox')
  const lives = await house.ask('GET', '/v1/user-sessions/current', withSession(own, body.token))
  assert.equal(lives.status, 200, 'the person stays signed in at the business')
})

test('a confirm by the session of a provider’s inbox key counts as that person’s', async () => {
  const email = newAddress()
  const provider = await openProvider(house)
  const { apiKey } = await employing(provider, 'Tea House', email)
  await house.ask('PUT', '/v1/policy', { key: apiKey, body: { rules: [{ tools: ['pay_back'], roles: ['manager'] }] } })
  const key = await inboxKey(provider)
  await askLink(key, email)
  const { body } = await open(key, tokensOf((await house.mailsTo(email)).at(-1))[0] ?? '')
  const staged = await house.ask<{ actionId: string }>('POST', '/v1/actions', {
    key: apiKey,
    body: { tool: 'pay_back' },
  })
  const confirmed = await house.ask('POST', `/v1/actions/${staged.body.actionId}/confirm`, {
    ...withSession(key, body.token),
    body: { acknowledgeHighRisk: true },
  })
  // The business has no endpoint, so that it came as far as the execution.
  assert.equal(confirmed.body.status, 'FailedRetryable', confirmed.text)
  const trail = await house.ask<{ events: { event: string; userId: number }[] }>('GET', '/v1/audit', { key: apiKey })
  assert.ok(trail.body.events.some(({ event, userId }) => event === 'approved' && userId === 7))
})

test('requests for an inactive person do not use up the sign-in mails of their address', async () => {
  const email = newAddress()
  const provider = await openProvider(house)
  const { apiKey: key } = await employing(provider, 'Tea House', email)
  const setActive = (active: boolean) =>
    house.ask('PUT', '/v1/users', { key, body: [{ userId: 7, displayName: 'Ana', email, role: 'manager', active }] })
  await setActive(false)
  // A link counts towards the limit when it is queued, even if its mail is never sent.
  for (let request = 0; request < house.settings.mail.maxSignInMailsPerWindow; request++) {
    await askLink(provider.key, email)
    assert.equal((await house.mailsTo(email)).length, 0)
  }
  await setActive(true)
  await askLink(provider.key, email)
  assert.equal((await house.mailsTo(email)).length, 1)
})
