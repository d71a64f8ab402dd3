import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after, before } from 'node:test'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { unlisted } from '../../kernel/db/index.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ settings: { 'Account:RevokedKeyDays': '30' } })
})
after(() => house.close())

type Listed = { keys: { prefix: string; revokedAt: string | null }[]; count: number }
const listed = async ({ apiKey: key }: NewTenant) => (await house.ask<Listed>('GET', '/v1/account/keys', { key })).body

const insertRevoked = unlisted<unknown, { tenantId: number; many: number; seed: Buffer; days: number; kind: string }>(
  'test.insert_revoked_keys',
  `insert into keys (tenant_id, hash, prefix, kind, created_at, revoked_at)
   select $tenantId::int, sha256($seed::bytea || n::text::bytea), 'tag_' || lpad(to_hex(n + 1000 * $days::int), 8, '0'), $kind::text,
          now() - make_interval(days => $days::int, mins => n), now() - make_interval(days => $days::int, secs => n)
     from generate_series(1, $many::int) n`,
)
const revoked = ({ tenantId }: NewTenant, many: number, { days = 0, kind = 'agent' } = {}) =>
  house.database.database.run(insertRevoked, { tenantId, many, seed: randomBytes(8), days, kind })

test('every living key is listed, and the newest thousand that were revoked', async () => {
  const shop = await house.tenant()
  const live = await house.key(shop.tenantId, 'agent')
  await revoked(shop, 1_003)
  const { keys, count } = await listed(shop)
  assert.deepEqual([keys.length, count], [1_002, 1_002])
  const living = keys.filter(({ revokedAt }) => revokedAt === null).map(({ prefix }) => prefix)
  assert.deepEqual(living.toSorted(), [live.slice(0, 12), shop.keyPrefix].toSorted())
  const gone = keys.flatMap(({ revokedAt }) => revokedAt ?? [])
  assert.ok(
    gone.every((at, index) => index === 0 || at <= (gone[index - 1] ?? '')),
    'the newest first',
  )
})

test('a key that was revoked long ago is forgotten; a living one never is, nor a provider’s', async () => {
  const [shop, other] = [await house.tenant(), await house.tenant()]
  await revoked(shop, 3, { days: 31 })
  await revoked(shop, 2, { days: 29 })
  await revoked(shop, 1, { days: 40, kind: 'provider' })
  await revoked(other, 1, { days: 400 })
  const old = await house.key(other.tenantId, 'agent')
  const duty = house.app.duties.find(({ name }) => name === 'access.forget_keys')
  assert.equal(await duty?.work(AbortSignal.timeout(10_000)), 4)
  assert.deepEqual([(await listed(shop)).count, (await listed(other)).count], [4, 2])
  assert.equal(await duty?.work(AbortSignal.timeout(10_000)), 0)
  assert.notEqual((await house.ask('GET', '/v1/account', { key: old })).status, 401)
})

test('what was done with a forgotten key stays in the account’s events', async () => {
  const shop = await house.tenant()
  const made = await house.ask<{ prefix: string; key: string }>('POST', '/v1/account/keys', {
    key: shop.apiKey,
    body: { kind: 'agent' },
  })
  await house.ask('DELETE', `/v1/account/keys/${made.body.prefix}`, { key: shop.apiKey })
  await house.database.database.run(ageKey, { tenantId: shop.tenantId, prefix: made.body.prefix })
  await house.app.duties.find(({ name }) => name === 'access.forget_keys')?.work(AbortSignal.timeout(10_000))
  assert.equal((await listed(shop)).count, 1)
  const { body } = await house.ask<{ events: { type: string; keyPrefix: string }[] }>('GET', '/v1/account/events', {
    key: shop.apiKey,
  })
  const told = body.events.filter(({ keyPrefix }) => keyPrefix === made.body.prefix).map(({ type }) => type)
  assert.deepEqual(told.toSorted(), ['key.issued', 'key.revoked'])
  assert.equal((await house.ask('GET', '/v1/account', { key: made.body.key })).error?.code, 'invalid_api_key')
})

const ageKey = unlisted<unknown, { tenantId: number; prefix: string }>(
  'test.age_key',
  `update keys set ${setBack('revoked_at', '31 days')} where tenant_id = $tenantId::int and prefix = $prefix::text`,
)
