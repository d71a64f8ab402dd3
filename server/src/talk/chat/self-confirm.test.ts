import assert from 'node:assert/strict'
import test from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { ask, customer, newShop, openTalk, page, type Shop, talk } from './fixtures/talk.ts'

type InShadow = z.output<typeof contract.PolicyInShadow>

openTalk()

const own = (name: string, more: object = {}) => ({
  name,
  description: 'Changes something that belongs to the signed-in customer.',
  is_write: true,
  requires_customer: true,
  ...more,
})
const TOOLS = [own('cancel_mine'), own('refund_mine', { risk: 'elevated' }), own('ruled_mine', { domain: 'money' })]

async function shopWith(policy: object | null): Promise<Shop> {
  const shop = await newShop('Growth', TOOLS)
  const body = [{ userId: 1, displayName: 'Ana', email: 'ana@shop.example.com', role: 'manager' }]
  await talk.house.ask('PUT', '/v1/users', { key: shop.apiKey, body })
  if (policy !== null) await talk.house.ask('PUT', '/v1/policy', { key: shop.apiKey, body: policy })
  return shop
}

const RULES = { rules: [{ domains: ['money'], roles: ['manager'] }], customerSelfConfirm: true }

async function proposed(shop: Shop, tool: string, headers: Record<string, string>) {
  talk.model.play([{ call: tool }], ['It waits.'])
  const key = await talk.house.key(shop.tenantId, 'publishable')
  const { body } = await ask({ prompt: 'Do it' }, { key, headers: { ...page, ...headers } })
  return { proposal: body.meta.proposals[0], said: JSON.stringify(body.blocks.at(-1)) }
}

const confirm = (actionId: string, key: string, headers: Record<string, string> = page) =>
  talk.house.ask<{ status: string }>('POST', `/v1/actions/${actionId}/confirm`, { key, headers })

test('a signed-in customer confirms a small write of their own, where the policy lets them', async () => {
  const shop = await shopWith(RULES)
  const { proposal, said } = await proposed(shop, 'cancel_mine', await customer('nino', shop))
  assert.match(said, /your confirmation/)
  const token = proposal?.confirmationToken ?? ''
  const foreign = await confirm(proposal?.actionId ?? '', token, { origin: 'https://evil.example.com' })
  assert.equal(foreign.error?.code, 'origin_not_allowed')
  const confirmed = await confirm(proposal?.actionId ?? '', token)
  assert.deepEqual([confirmed.status, confirmed.body.status], [200, 'Executed'])
  assert.equal(confirmed.headers['access-control-allow-origin'], page.origin)
  assert.deepEqual(talk.business.callsTo('cancel_mine').at(-1)?.body?.customer, { id: 'nino' })
  const { body } = await talk.house.ask<{ events: { event: string; userId: number; subject: string }[] }>(
    'GET',
    '/v1/audit?tool=cancel_mine',
    { key: shop.apiKey },
  )
  assert.deepEqual(
    body.events.map(({ event, userId, subject }) => [event, userId, subject]),
    [
      ['proposed', 0, 'nino'],
      ['approved', 0, 'nino'],
      ['executed', 0, 'nino'],
    ],
  )
})

test('not what costs more, not what a rule gives to somebody, not without a policy that says so, not for a guest', async () => {
  const shop = await shopWith(RULES)
  const nino = await customer('nino', shop)
  for (const tool of ['refund_mine', 'ruled_mine']) {
    const { proposal, said } = await proposed(shop, tool, nino)
    assert.ok(proposal !== undefined && proposal.confirmationToken === undefined, tool)
    assert.match(said, /somebody at the business/)
  }
  for (const policy of [null, { ...RULES, customerSelfConfirm: false }]) {
    const other = await shopWith(policy)
    const { proposal } = await proposed(other, 'cancel_mine', await customer('nino', other))
    assert.equal(proposal?.confirmationToken, undefined)
  }
  const { proposal } = await proposed(shop, 'cancel_mine', {})
  assert.equal(proposal, undefined, 'a guest is asked to sign in')
})

test('the policy of the moment of confirming decides, and the token does nothing else', async () => {
  const shop = await shopWith(RULES)
  const { proposal } = await proposed(shop, 'cancel_mine', await customer('nino', shop))
  const [actionId, token] = [proposal?.actionId ?? '', proposal?.confirmationToken ?? '']
  const body = { ...RULES, customerSelfConfirm: false }
  await talk.house.ask('PUT', '/v1/policy', { key: shop.apiKey, body })
  const refused = await confirm(actionId, token)
  assert.deepEqual([refused.status, refused.body.status], [403, 'ApprovalForbidden'])
  const reject = await talk.house.ask('POST', `/v1/actions/${actionId}/reject`, { key: token, headers: page })
  assert.equal(reject.status, 403)
  const chat = await talk.house.ask('POST', '/v1/chat', { key: token, headers: page, body: { prompt: 'Hi' } })
  assert.equal(chat.status, 403)
})

test('what went wrong is told to the business, and to the customer that it did', async () => {
  const shop = await shopWith(RULES)
  const operators = /endpoint|server|answered|PUT|https?:|tried|argument|policy|stock|\b422\b|\b500\b/i
  for (const [step, status] of [
    [{ do: 'answer', status: 422, body: { message: 'The stock keeper at 10.0.0.7 says no.' } }, 'FailedTerminal'],
    [{ do: 'drop' }, 'Indeterminate'],
    [{ do: 'answer', status: 429, body: { message: 'Our server is busy.' } }, 'FailedRetryable'],
  ] as const) {
    const { proposal } = await proposed(shop, 'cancel_mine', await customer('nino', shop))
    talk.business.script('cancel_mine', step)
    const { body } = await confirm(proposal?.actionId ?? '', proposal?.confirmationToken ?? '')
    const { errorMessage } = body as unknown as { errorMessage: string }
    assert.equal(body.status, status, JSON.stringify(body))
    assert.match(errorMessage, /\w+ .*\./, 'something is said')
    assert.doesNotMatch(errorMessage, operators)
  }
})

test('a check that fails after the write is named to the customer as no more than that', async () => {
  const verified = own('move_mine', {
    verify: { tool: 'get_mine', arguments: {}, check: { path: 'state', equals: 'moved' } },
  })
  const shop = await newShop('Growth', [
    verified,
    { name: 'get_mine', description: 'Reads what belongs to the signed-in customer.', is_write: false },
  ])
  await talk.house.ask('PUT', '/v1/users', {
    key: shop.apiKey,
    body: [{ userId: 1, displayName: 'Ana', email: 'ana@shop.example.com', role: 'manager' }],
  })
  await talk.house.ask('PUT', '/v1/policy', { key: shop.apiKey, body: RULES })
  const { proposal } = await proposed(shop, 'move_mine', await customer('nino', shop))
  talk.business.script('get_mine', { do: 'answer', body: { state: 'held by Giorgi' } })
  const { body } = await confirm(proposal?.actionId ?? '', proposal?.confirmationToken ?? '')
  const { verification } = body as unknown as { verification: { status: string; reason: string } }
  assert.deepEqual(verification.status, 'unverified', JSON.stringify(body))
  assert.doesNotMatch(verification.reason, /Giorgi|state|moved/)
  assert.notEqual(verification.reason, '')
})

test('preflight is answered where a page confirms', async () => {
  const path = '/v1/actions/00000000-0000-0000-0000-000000000000/confirm'
  const reply = await talk.house.ask('OPTIONS', path, { headers: page })
  assert.deepEqual([reply.status, reply.headers['access-control-allow-origin']], [204, page.origin])
})

test('a policy in shadow that gives the write to somebody at the business is told of it, and stops no customer', async () => {
  const shop = await shopWith({ rules: [], customerSelfConfirm: true })
  await talk.house.ask('PUT', '/v1/policy?mode=shadow', { key: shop.apiKey, body: RULES })
  const { proposal } = await proposed(shop, 'ruled_mine', await customer('nino', shop))
  const confirmed = await confirm(proposal?.actionId ?? '', proposal?.confirmationToken ?? '')
  assert.equal(confirmed.body.status, 'Executed')
  const { body } = await talk.house.ask<InShadow>('GET', '/v1/policy/shadow', { key: shop.apiKey })
  const [one] = body.differences
  assert.deepEqual([body.differing, one?.userId, one?.user], [1, 0, null])
  assert.deepEqual([one?.live.status, one?.shadow.status], ['Allowed', 'ApprovalForbidden'])
})
