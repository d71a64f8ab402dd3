import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { KEY_PREFIX_LENGTH, KEY_PREFIXES, KEY_SHAPE } from '@tether/contract'
import { openHouse, testSettings } from '../../../testkit/house.ts'
import { insertAnyKey } from '../../../testkit/keys.ts'
import { openKeyring, sha256 } from '../../kernel/crypto/index.ts'
import type { Database } from '../../kernel/db/index.ts'
import { newKey } from '../../kernel/ids/index.ts'
import { openIdentify } from './identify.ts'
import { keyText, tenantsNamed } from './key-text.ts'
import { openLastUsed } from './last-used.ts'

const secretOf = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const ring = openKeyring({ key: secretOf(1), previous: [] })
const MOST = 2 ** 31 - 1

test('a key of each kind has the shape of the specification, and names its tenant', () => {
  for (const letters of Object.values(KEY_PREFIXES)) {
    for (const tenantId of [1, 42, 65_536, 10_000_000, MOST]) {
      const key = keyText(ring, letters, tenantId)
      assert.match(key, KEY_SHAPE)
      assert.deepEqual(tenantsNamed(ring, key), [tenantId])
    }
  }
})

// Each digit of 4,000 keys of one tenant: a digit that said something of the tenant would be far from evenly spread.
test('nothing of a key can be linked to its tenant from outside', () => {
  const keys = Array.from({ length: 4_000 }, () => keyText(ring, 'tth', 7).slice(4))
  assert.equal(new Set(keys.map((key) => key.slice(40))).size > 3_990, true)
  for (let place = 0; place < 48; place++) {
    const seen = Map.groupBy(keys, (key) => key[place])
    // Of 16 digits each is expected 250 times; the chance that one of all 768 is below 150 or above 350 is under 1 in 10,000,000.
    assert.equal(seen.size, 16)
    for (const [digit, those] of seen) assert.ok(those.length > 150 && those.length < 350, `${place} ${digit}`)
  }
})

test('128 bits of it are as random as they were, and neither in the prefix nor in what names the tenant', () => {
  const taken: number[] = []
  const random = (size: number) => {
    taken.push(size)
    return Buffer.alloc(size, 0xab)
  }
  const [one, other] = [keyText(ring, 'tth', 1, random), keyText(ring, 'tth', 2, random)]
  assert.deepEqual(taken, [20, 20])
  assert.equal((20 - (KEY_PREFIX_LENGTH - 4) / 2) * 8, 128)
  assert.equal(one.slice(0, 44), other.slice(0, 44))
  assert.notEqual(one.slice(44), other.slice(44))
})

test('a key goes on naming its tenant while the encryption key that masked it is in the ring', () => {
  const key = keyText(ring, 'tag', 42)
  const rotated = openKeyring({ key: secretOf(2), previous: [secretOf(1)] })
  assert.equal(tenantsNamed(rotated, key).at(-1), 42)
  const later = openKeyring({ key: secretOf(2), previous: [] })
  assert.ok(!tenantsNamed(later, key).includes(42))
  for (let made = 0; made < 200; made++) {
    for (const tenantId of tenantsNamed(rotated, newKey('tth'))) assert.ok(tenantId > 0 && tenantId <= MOST)
  }
})

/** A house whose tables count as divided, what a key is by it, and which statements looked for it. */
async function divided(t: test.TestContext) {
  const house = await openHouse()
  t.after(() => house.close())
  let looks: string[] = []
  const { db } = house.app.house
  const rows: Database['rows'] = async (asked, ...values) => {
    looks.push(asked.name)
    return await db.rows(asked, ...values)
  }
  const settings = testSettings({ 'Database:DividedByTenant': 'true' })
  const openInstance = (keyring = house.app.house.keyring) => {
    const parts = { ...house.app.house, db: { ...db, rows }, settings, keyring }
    const identify = openIdentify(parts, openLastUsed(house.app.house))
    return async (key: string) => {
      looks = []
      const identity = await identify({ 'x-api-key': key }, '203.0.113.7')
      return [identity.kind === 'tenant' ? identity.row.tenantId : identity.kind, ...looks]
    }
  }
  return { house, openInstance }
}

const [OF, ANYBODY] = ['access.find_credentials_of', 'access.find_credentials']

test('in divided tables a key is looked up where it says that its tenant is, and nowhere else', async (t) => {
  const { house, openInstance } = await divided(t)
  const { tenantId, apiKey, keyPrefix } = await house.tenant()
  const ask = openInstance()
  assert.deepEqual(await ask(apiKey), [tenantId, OF])
  for (const kind of ['agent', 'publishable', 'inbox', 'action', 'sandbox'] as const)
    assert.deepEqual(await ask(await house.key(tenantId, kind)), [tenantId, OF], kind)
  await house.ask('DELETE', `/v1/keys/${keyPrefix}`, { key: house.operatorKey })
  assert.deepEqual(await ask(apiKey), ['nobody', OF], 'a known key that is gone is looked for nowhere else')
})

test('a key of before, or of another secret, is found among all tenants once, and then at its own', async (t) => {
  const { house, openInstance } = await divided(t)
  const { tenantId } = await house.tenant()
  const foreign = openKeyring({ key: randomBytes(32).toString('base64'), previous: [] })
  const ofBefore = [newKey('tth'), newKey('tth'), keyText(foreign, 'tth', tenantId), keyText(foreign, 'tth', tenantId)]
  const ask = openInstance()
  for (const key of ofBefore) {
    await house.database.database.run(insertAnyKey, {
      tenantId,
      hash: sha256(key),
      prefix: key.slice(0, KEY_PREFIX_LENGTH),
      kind: 'secret',
    })
    const [found, ...looks] = await ask(key)
    assert.equal(found, tenantId)
    assert.equal(looks.at(-1), ANYBODY)
    assert.deepEqual(await ask(key), [tenantId, OF])
  }
  const ofAnother = openInstance(foreign)
  assert.deepEqual(await ofAnother(ofBefore.at(-1) ?? ''), [tenantId, OF], 'the instance whose secret it was')
})

test('a key that names a tenant which is not its own opens nothing of that tenant', async (t) => {
  const { house, openInstance } = await divided(t)
  const [mine, other] = [await house.tenant(), await house.tenant('Other')]
  const key = keyText(house.app.house.keyring, 'tth', other.tenantId)
  const prefix = key.slice(0, KEY_PREFIX_LENGTH)
  const ask = openInstance()
  assert.deepEqual(await ask(key), ['nobody', OF, ANYBODY], 'a name is no right')
  await house.database.database.run(insertAnyKey, {
    tenantId: mine.tenantId,
    hash: sha256(key),
    prefix,
    kind: 'secret',
  })
  assert.deepEqual(await openInstance()(key), [mine.tenantId, OF, ANYBODY])
})
