// Many callers at once, on two houses with one database: limits hold, and "the last one" stays the last one.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { openTwoHouses, type Told, type TwoHouses } from './races/two-houses.ts'

type Key = { key: string; prefix: string; kind: string; revokedAt: string | null }

let houses: TwoHouses
before(async () => {
  houses = await openTwoHouses()
})
after(() => houses.close())

const codes = (replies: readonly Told<unknown>[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, code = String(status) } of replies) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
const succeeded = <Body>(replies: readonly Told<Body>[]): Body[] =>
  replies.filter(({ status }) => status === 200).map(({ body }) => body)
const liveRows = (tenantId: number) =>
  houses.rows<{ prefix: string; kind: string }>(
    'select prefix, kind from keys where tenant_id = $tenantId::int and revoked_at is null',
    { tenantId },
  )
const opens = async (key: string): Promise<boolean> => (await houses.ask('GET', '/v1/account', { key })).status === 200
/** How many of the keys open the account, counted one by one. */
const openingKeys = async (keys: readonly string[]): Promise<number> => {
  const found = await Promise.all(keys.map(opens))
  return found.filter(Boolean).length
}

test('100 keys issued at once never exceed the limit of 10, at no moment', async (t) => {
  const { tenantId, apiKey } = await houses.tenant()
  let most = 0
  let watching = true
  const watch = async () => {
    while (watching) most = Math.max(most, (await liveRows(tenantId)).length)
  }
  const watcher = watch()
  const kinds = ['agent', 'secret', 'publishable', 'inbox', 'ci']
  const replies = await houses.parallel<Key>(100, 'POST', '/v1/account/keys', (place) => ({
    key: apiKey,
    body: { kind: kinds[place % kinds.length] },
  }))
  watching = false
  await watcher
  t.diagnostic(JSON.stringify(codes(replies)))
  assert.deepEqual(codes(replies), { 200: 9, key_limit_reached: 91 })
  assert.equal((await liveRows(tenantId)).length, 10)
  assert.equal(most, 10)
  assert.equal(new Set(succeeded(replies).map(({ key }) => key)).size, 9)
})

test('keys issued and revoked at once never exceed the limit', async () => {
  const { tenantId, apiKey } = await houses.tenant()
  const issued = succeeded(
    await houses.parallel<Key>(9, 'POST', '/v1/account/keys', () => ({ key: apiKey, body: { kind: 'agent' } })),
  )
  const revoke = issued.map(({ prefix }) =>
    houses.parallel(1, 'DELETE', `/v1/account/keys/${prefix}`, () => ({ key: apiKey })),
  )
  const issue = houses.parallel<Key>(60, 'POST', '/v1/account/keys', () => ({ key: apiKey, body: { kind: 'ci' } }))
  const [revoked, replies] = await Promise.all([Promise.all(revoke), issue])
  assert.deepEqual(codes(revoked.flat()), { 200: 9 })
  const live = await liveRows(tenantId)
  assert.ok(live.length <= 10)
  assert.equal(live.length, 1 + succeeded(replies).length)
})

test('50 rotations of one key at once leave exactly one live, and only one caller is told a key', async (t) => {
  const { tenantId, apiKey } = await houses.tenant()
  const { body: agent } = await houses.ask<Key>('POST', '/v1/account/keys', { key: apiKey, body: { kind: 'agent' } })
  const path = `/v1/account/keys/${agent.prefix}/rotate`
  const replies = await houses.parallel<Key>(50, 'POST', path, () => ({ key: apiKey }))
  t.diagnostic(JSON.stringify(codes(replies)))
  assert.deepEqual(codes(replies), { 200: 1, unknown_key: 49 })
  const agents = (await liveRows(tenantId)).filter(({ kind }) => kind === 'agent')
  assert.deepEqual(agents, [{ prefix: succeeded(replies)[0]?.prefix, kind: 'agent' }])
})

test('50 rotations of the very key that asks leave exactly one that opens the account', async (t) => {
  const { tenantId, apiKey, keyPrefix } = await houses.tenant()
  const path = `/v1/account/keys/${keyPrefix}/rotate`
  const replies = await houses.parallel<Key>(50, 'POST', path, () => ({ key: apiKey }))
  t.diagnostic(JSON.stringify(codes(replies)))
  assert.equal(codes(replies)['200'], 1)
  assert.equal((await liveRows(tenantId)).length, 1)
  assert.equal(await openingKeys([apiKey, ...succeeded(replies).map(({ key }) => key)]), 1)
})

test('20 revokes of two secret keys at once never leave none', async (t) => {
  for (let round = 0; round < 10; round++) {
    const { tenantId, apiKey, keyPrefix } = await houses.tenant()
    const { body } = await houses.ask<Key>('POST', '/v1/account/keys', { key: apiKey, body: { kind: 'secret' } })
    const [first, second] = [
      { key: apiKey, prefix: keyPrefix },
      { key: body.key, prefix: body.prefix },
    ]
    const revoke = (mine: typeof first, other: typeof first) =>
      houses.parallel(10, 'DELETE', `/v1/account/keys/${other.prefix}`, () => ({ key: mine.key }))
    const replies = (await Promise.all([revoke(first, second), revoke(second, first)])).flat()
    if (round === 0) t.diagnostic(JSON.stringify(codes(replies)))
    assert.equal(codes(replies)['200'], 1, JSON.stringify(codes(replies)))
    assert.equal((await liveRows(tenantId)).length, 1)
    assert.equal(await openingKeys([first.key, second.key]), 1)
  }
})

test('a revoke and a rotation of two secret keys at once leave one that somebody knows', async () => {
  for (let round = 0; round < 10; round++) {
    const { tenantId, apiKey, keyPrefix } = await houses.tenant()
    const { body } = await houses.ask<Key>('POST', '/v1/account/keys', { key: apiKey, body: { kind: 'secret' } })
    const [rotations, revokes, others] = await Promise.all([
      houses.parallel<Key>(5, 'POST', `/v1/account/keys/${keyPrefix}/rotate`, () => ({ key: body.key })),
      houses.parallel(5, 'DELETE', `/v1/account/keys/${keyPrefix}`, () => ({ key: body.key })),
      houses.parallel(5, 'DELETE', `/v1/account/keys/${body.prefix}`, () => ({ key: apiKey })),
    ])
    const known = [apiKey, body.key, ...succeeded(rotations).map(({ key }) => key)]
    const live = (await liveRows(tenantId)).length
    assert.ok(live >= 1, JSON.stringify([codes(rotations), codes(revokes), codes(others)]))
    assert.equal(await openingKeys(known), live)
  }
})

test('30 compromises at once leave exactly one live key, and somebody knows it', async (t) => {
  const { tenantId, apiKey } = await houses.tenant()
  await Promise.all((['agent', 'publishable', 'provider', 'action'] as const).map((kind) => houses.key(tenantId, kind)))
  const replies = await houses.parallel<{ apiKey: string }>(30, 'POST', '/v1/account/compromise', () => ({
    key: apiKey,
    body: { rotateSigningSecret: true },
  }))
  t.diagnostic(JSON.stringify(codes(replies)))
  assert.deepEqual(
    Object.keys(codes(replies)).filter((code) => code !== '200' && code !== 'invalid_api_key'),
    [],
  )
  const live = await liveRows(tenantId)
  assert.deepEqual(
    live.map(({ kind }) => kind),
    ['secret'],
  )
  assert.equal(await openingKeys([apiKey, ...succeeded(replies).map((body) => body.apiKey)]), 1)
})

test('compromises and new keys at once: no key from before the last compromise is left', async () => {
  for (let round = 0; round < 5; round++) {
    const { tenantId, apiKey } = await houses.tenant()
    const [compromised, issued] = await Promise.all([
      houses.parallel<{ apiKey: string }>(4, 'POST', '/v1/account/compromise', () => ({ key: apiKey })),
      houses.parallel<Key>(12, 'POST', '/v1/account/keys', () => ({ key: apiKey, body: { kind: 'secret' } })),
    ])
    const keys = [
      apiKey,
      ...succeeded(compromised).map((body) => body.apiKey),
      ...succeeded(issued).map(({ key }) => key),
    ]
    assert.equal(await openingKeys([apiKey]), 0)
    assert.equal(await openingKeys(keys), (await liveRows(tenantId)).length)
  }
})

test('20 grants of provider authority at once leave one provider key', async () => {
  const { tenantId } = await houses.tenant()
  const path = `/v1/tenants/${tenantId}/provider`
  const replies = await houses.parallel<Key>(20, 'POST', path, () => ({ key: houses.operatorKey, body: {} }))
  assert.deepEqual(codes(replies), { 200: 20 })
  const providers = (await liveRows(tenantId)).filter(({ kind }) => kind === 'provider')
  assert.equal(providers.length, 1)
  assert.ok(succeeded(replies).some(({ prefix }) => prefix === providers[0]?.prefix))
})
