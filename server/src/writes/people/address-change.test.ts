// A mailed link and its address: what a change of the address ends, and what happens when both come at the same moment.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import type { NewTenant } from '../../../testkit/house.ts'
import { linkIn, type MailedHouse, newAddress, openMailedHouse } from '../../../testkit/mailed-house.ts'
import { statement } from '../../kernel/db/index.ts'

type Opened = z.output<typeof contract.OpenedSession>

let house: MailedHouse
before(async () => {
  house = await openMailedHouse()
})
after(() => house.close())

const put = async (tenant: NewTenant, people: object[]) => {
  const { status, text } = await house.ask('PUT', '/v1/users', { key: tenant.apiKey, body: people })
  assert.equal(status, 200, text)
}
const askLink = async (key: string, email: string) =>
  assert.equal((await house.ask('POST', '/v1/user-sessions/sign-in', { key, body: { email } })).status, 202)
const tokensMailedTo = async (email: string) =>
  (await house.mailsTo(email)).flatMap((mail) => /#signin=([\w-]+)$/.exec(linkIn(mail))?.[1] ?? [])
const open = (key: string, token: unknown) => house.ask<Opened>('POST', '/v1/user-sessions', { key, body: { token } })
const stateOf = async (key: string, session: string) => {
  const headers = { 'x-service-user-session': session }
  const { status, error } = await house.ask('GET', '/v1/user-sessions/current', { key, headers })
  return status === 200 ? 'open' : error?.reason
}
const reasonOf = ({ status, error }: { status: number; error: { reason?: string } | undefined }) =>
  status === 200 ? 'open' : error?.reason

async function ana() {
  const email = newAddress()
  const tenant = await house.tenant()
  await put(tenant, [{ userId: 7, displayName: 'Ana', email, role: 'manager' }])
  const inbox = await house.key(tenant.tenantId, 'inbox')
  return { tenant, inbox, email }
}

async function mailedToken(inbox: string, email: string): Promise<string> {
  await askLink(inbox, email)
  return (await tokensMailedTo(email)).at(-1) ?? assert.fail('no link was mailed')
}

test('a link mailed to the old address opens nothing after the address has changed', async () => {
  const { tenant, inbox, email } = await ana()
  const token = await mailedToken(inbox, email)
  await put(tenant, [{ userId: 7, email: newAddress() }])
  assert.equal(reasonOf(await open(inbox, token)), 'spent')
  await put(tenant, [{ userId: 7, email }])
  assert.equal(reasonOf(await open(inbox, token)), 'spent', 'not even once the address has changed back')
  assert.equal(reasonOf(await open(inbox, await mailedToken(inbox, email))), 'open')
})

test('a change of the address closes the sessions of that person, and of nobody else', async () => {
  const { tenant, inbox, email } = await ana()
  const other = newAddress()
  await put(tenant, [{ userId: 8, displayName: 'Bela', email: other }])
  const { body: first } = await open(inbox, await mailedToken(inbox, email))
  const { body: second } = await open(inbox, await mailedToken(inbox, other))
  await put(tenant, [
    { userId: 7, email: newAddress() },
    { userId: 8, role: 'owner' },
  ])
  assert.deepEqual([await stateOf(inbox, first.token), await stateOf(inbox, second.token)], ['closed', 'open'])
  await put(tenant, [{ userId: 7, email }])
  assert.equal(await stateOf(inbox, first.token), 'closed', 'it does not come back with the address')
})

test('a change of the address spends no link that was mailed to a colleague', async () => {
  const { tenant, inbox } = await ana()
  const other = newAddress()
  await put(tenant, [{ userId: 8, displayName: 'Bela', email: other }])
  const token = await mailedToken(inbox, other)
  await put(tenant, [{ userId: 7, email: newAddress() }])
  assert.equal(reasonOf(await open(inbox, token)), 'open')
})

test('another spelling of the same address, name or role ends nothing', async () => {
  const { tenant, inbox, email } = await ana()
  const { body } = await open(inbox, await mailedToken(inbox, email))
  const token = await mailedToken(inbox, email)
  await put(tenant, [{ userId: 7, email: email.toUpperCase(), displayName: 'Ana B.', role: 'owner' }])
  assert.equal(await stateOf(inbox, body.token), 'open')
  assert.equal(reasonOf(await open(inbox, token)), 'open')
})

test('an address that is taken away ends its links and sessions', async () => {
  const { tenant, inbox, email } = await ana()
  const { body } = await open(inbox, await mailedToken(inbox, email))
  const token = await mailedToken(inbox, email)
  await put(tenant, [{ userId: 7, email: null }])
  assert.deepEqual([await stateOf(inbox, body.token), reasonOf(await open(inbox, token))], ['closed', 'spent'])
})

test('mails nothing to the old address that was still queued for it', async () => {
  const { tenant, inbox, email } = await ana()
  const guest = newAddress()
  const invited = await house.ask<{ user: { id: number } }>('POST', '/v1/users/invitations', {
    key: tenant.apiKey,
    body: { email: guest },
  })
  await askLink(inbox, email)
  const answering = house.app.duties.find(({ name }) => name === 'people.sign_ins')
  assert.equal(await answering?.work(new AbortController().signal), 1)
  await put(tenant, [
    { userId: 7, email: newAddress() },
    { id: invited.body.user.id, email: newAddress() },
  ])
  assert.deepEqual([await tokensMailedTo(email), await house.mailsTo(guest)], [[], []])
})

test('a link is bound to its address by the row, whoever changes the address', async () => {
  const { tenant, inbox, email } = await ana()
  const token = await mailedToken(inbox, email)
  const move = statement<unknown, { tenantId: number; email: string }>(
    'test.move_person',
    'update users set email = $email::text where tenant_id = $tenantId::int',
  )
  await house.database.database.run(move, { tenantId: tenant.tenantId, email: newAddress() })
  assert.equal(reasonOf(await open(inbox, token)), 'spent')
})

test('a change of the address and the use of a link at the same moment leave no session of the old address', async () => {
  for (let round = 0; round < 12; round++) {
    const { tenant, inbox, email } = await ana()
    const token = await mailedToken(inbox, email)
    const change = () => put(tenant, [{ userId: 7, email: newAddress() }])
    const use = () => open(inbox, token)
    // Either may reach the database first.
    const [used] =
      round % 2 === 0 ? await Promise.all([use(), change()]) : (await Promise.all([change(), use()])).reverse()
    const reply = used as Awaited<ReturnType<typeof open>>
    const session = reply.status === 200 ? await stateOf(inbox, reply.body.token) : reply.error?.reason
    assert.ok(session === 'closed' || session === 'spent', `round ${round}: ${session}`)
  }
})
