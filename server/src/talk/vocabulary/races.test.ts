// What happens at the same moment. The embedded engine has one connection, and still takes these requests at once.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Lexicon } from '@tether/contract'
import { type NewTenant, type OpenHouse, openHouse, type Reply } from '../../../testkit/house.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { accept, dismiss } from './queries.ts'

let house: OpenHouse
let other: OpenHouse
before(async () => {
  house = await openHouse()
  other = await openHouse({ beside: house })
})
after(async () => {
  await other.close()
  await house.close()
})

const ROUNDS = 12
const PACK = '/v1/domain-pack'
const SUGGESTIONS = '/v1/domain-pack/suggestions'
type Decided = { suggestion?: { status: string }; domainPack?: { version: number; lexicon: Lexicon } }

const at = (path: string) => ({ kind: 'repository', commit: '0f3a9be', path, dirty: false })
const propose = (where: OpenHouse, { apiKey: key }: NewTenant, path: string, word: string) =>
  where.ask<{ id: string }>('POST', SUGGESTIONS, { key, body: { lexicon: { returns: [word] }, source: at(path) } })
const decide = (where: OpenHouse, { apiKey: key }: NewTenant, id: string, verb: 'accept' | 'dismiss') =>
  where.ask<Decided>('POST', `${SUGGESTIONS}/${id}/${verb}`, { key })
const packOf = async ({ apiKey: key }: NewTenant) =>
  (await house.ask<{ version: number; lexicon: Lexicon }>('GET', PACK, { key })).body
const pendingOf = async ({ apiKey: key }: NewTenant) =>
  (await house.ask<{ count: number }>('GET', SUGGESTIONS, { key })).body.count
const statuses = (replies: readonly Reply<unknown>[]) => replies.map(({ status }) => status).toSorted()

test('one suggestion that is accepted twice at once is accepted once', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const shop = await house.tenant()
    const { id } = (await propose(house, shop, 'a', 'refund')).body
    const replies = await Promise.all([house, other, house].map((where) => decide(where, shop, id, 'accept')))
    assert.deepEqual(statuses(replies), [200, 409, 409])
    assert.deepEqual(await packOf(shop), { ...(await packOf(shop)), version: 1, lexicon: { returns: ['refund'] } })
  }
})

test('accepted beside dismissed, one of them is told no, and the pack is as the other one left it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const shop = await house.tenant()
    const { id } = (await propose(house, shop, 'a', 'refund')).body
    const [accepted, dismissed] = await Promise.all([
      decide(house, shop, id, 'accept'),
      decide(other, shop, id, 'dismiss'),
    ])
    assert.deepEqual(statuses([accepted, dismissed]), [200, 409])
    assert.equal((await packOf(shop)).version, accepted.status === 200 ? 1 : 0)
  }
})

test('whoever comes late with what was read before changes nothing: the statement looks again', async () => {
  const db = house.database.database
  const shop = await house.tenant()
  const { tenantId } = shop
  const late = { tenantId, expected: 0, lexicon: '{"returns":["late"]}' }
  const { id } = (await propose(house, shop, 'a', 'refund')).body
  assert.equal(await db.one(accept, { ...late, id, expected: 7 }), undefined, 'another version of the pack')
  assert.equal((await decide(house, shop, id, 'dismiss')).status, 200)
  assert.equal(await db.one(accept, { ...late, id }), undefined, 'no longer pending')
  assert.equal(await db.one(dismiss, { tenantId, id }), undefined)
  assert.equal((await packOf(shop)).version, 0)
})

test('two suggestions that are accepted at once, and a pack that is set beside them, lose nobody’s words', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const shop = await house.tenant()
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (word) => (await propose(house, shop, word, word)).body.id),
    )
    const replies = await Promise.all(
      ids.map((id, index) => decide(index % 2 === 0 ? house : other, shop, id, 'accept')),
    )
    assert.deepEqual(statuses(replies), [200, 200, 200, 200])
    const pack = await packOf(shop)
    assert.deepEqual([pack.version, pack.lexicon.returns?.toSorted()], [4, ['a', 'b', 'c', 'd']])
    const versions = replies.map(({ body }) => body.domainPack?.version).toSorted()
    assert.deepEqual(versions, [1, 2, 3, 4])
    const { id } = (await propose(house, shop, 'e', 'e')).body
    const [, set] = await Promise.all([
      decide(house, shop, id, 'accept'),
      other.ask('PUT', PACK, { key: shop.apiKey, body: { lexicon: { returns: ['z'] } } }),
    ])
    assert.equal(set.status, 200)
    const after = await packOf(shop)
    // Whichever came second counts: the pack that was set replaces everything, or the words are added to it.
    assert.ok(['z', 'z,e'].includes(after.lexicon.returns?.join() ?? ''), after.lexicon.returns?.join())
    assert.equal(after.version, 6)
  }
})

test('of two suggestions of one source that come at once, one waits and one is superseded', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const shop = await house.tenant()
    const replies = await Promise.all(
      [house, other, house, other].map((where, index) => propose(where, shop, 'words.json', `w${index}`)),
    )
    assert.deepEqual(statuses(replies), [200, 200, 200, 200])
    assert.equal(await pendingOf(shop), 1)
  }
})

test('a suggestion that is accepted while a newer one of its source comes ends one way', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const shop = await house.tenant()
    const { id } = (await propose(house, shop, 'a', 'old')).body
    const [accepted, proposed] = await Promise.all([
      decide(house, shop, id, 'accept'),
      propose(other, shop, 'a', 'new'),
    ])
    assert.equal(proposed.status, 200)
    assert.ok(accepted.status === 200 || accepted.error?.code === 'suggestion_not_pending', accepted.text)
    assert.equal((await packOf(shop)).version, accepted.status === 200 ? 1 : 0)
    assert.equal(await pendingOf(shop), 1)
  }
})

const leftOver = unlisted<{ tenantId: number }>(
  'test.left_over',
  `select t.tenant_id as "tenantId" from tenants t
    where t.deleted_at is not null
      and (t.pack_version <> 0
           or exists (select 1 from domain_packs p where p.tenant_id = t.tenant_id)
           or exists (select 1 from domain_suggestions s where s.tenant_id = t.tenant_id))`,
)

test('a workspace that is deleted meanwhile keeps nothing of it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const shop = await house.tenant()
    const { id } = (await propose(house, shop, 'a', 'refund')).body
    const [, accepted] = await Promise.all([
      house.ask('DELETE', '/v1/account', { key: shop.apiKey, body: { confirm: shop.name } }),
      decide(other, shop, id, 'accept'),
      propose(other, shop, 'b', 'refund'),
    ])
    assert.ok([200, 401, 404].includes(accepted.status), accepted.text)
  }
  const left = await house.database.database.rows(leftOver)
  assert.deepEqual(left, [])
})
