// What a stranger with invented keys may have looked up, and what others at the same address feel of it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse, testSettings } from '../../../testkit/house.ts'
import type { Database } from '../../foundation/db/index.ts'
import { newKey } from '../../foundation/ids/index.ts'
import { openIdentify } from './identify.ts'
import { openLastUsed } from './last-used.ts'

const [HERE, ELSEWHERE] = ['203.0.113.7', '198.51.100.1']

test('an address that brings one unknown key after another waits, and nothing more is looked up for it', async (t) => {
  const house = await openHouse()
  t.after(() => house.close())
  const [known, late] = [await house.tenant(), await house.tenant()]
  let looks = 0
  const { db } = house.app.house
  const rows: Database['rows'] = async (...asked) => {
    looks++
    return await db.rows(...asked)
  }
  let now = 0
  const settings = testSettings({ 'RateLimit:AnonymousPerMinute': '2', 'Database:DividedByTenant': 'false' })
  const parts = { ...house.app.house, db: { ...db, rows }, settings }
  const identify = openIdentify(parts, openLastUsed(house.app.house), () => now)
  const asked = async (key: string, from = HERE) => {
    const identity = await identify({ 'x-api-key': key }, from)
    return identity.kind === 'nobody' ? identity.refusal.code : identity.kind
  }
  const invented = () => newKey('tth')
  assert.equal(await asked(known.apiKey), 'tenant')
  const said: string[] = []
  for (let sent = 0; sent < 40; sent++) said.push(await asked(invented()))
  assert.deepEqual(
    said,
    Array.from({ length: 40 }, (_, at) => (at < 20 ? 'invalid_api_key' : 'rate_limited')),
  )
  assert.equal(looks, 21)
  assert.equal(await asked(known.apiKey), 'tenant', 'a key that was good here lately is not held up by a neighbour')
  assert.equal(await asked(invented(), ELSEWHERE), 'invalid_api_key')
  assert.equal(await asked(late.apiKey, ELSEWHERE), 'tenant')
  await house.ask('DELETE', `/v1/keys/${known.keyPrefix}?tenantId=${known.tenantId}`, { key: house.operatorKey })
  assert.equal(await asked(known.apiKey), 'invalid_api_key', 'and is still looked up every time')
  now = 61_000
  assert.equal(await asked(invented()), 'invalid_api_key')
})
