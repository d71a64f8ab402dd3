// What a stranger with invented keys may have looked up, and what others at the same address feel of it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse, testSettings } from '../../../testkit/house.ts'
import type { Database } from '../../kernel/db/index.ts'
import { newKey } from '../../kernel/ids/index.ts'
import { openIdentify } from './identify.ts'
import { openLastUsed } from './last-used.ts'
import { openStrangers } from './strangers.ts'

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
  assert.equal(await asked(known.apiKey), 'rate_limited', 'until it is good no longer: then it is like any other')
  now = 61_000
  assert.equal(await asked(invented()), 'invalid_api_key')
})

test('of many unknown keys at the same moment no more are looked up than one after the other', async () => {
  let [looks, mostAtOnce, now] = [0, 0, 0]
  const waiting: (() => void)[] = []
  const strangers = openStrangers(2, () => 0)
  const absent = async () => {
    looks++
    mostAtOnce = Math.max(mostAtOnce, ++now)
    await new Promise<void>((answered) => waiting.push(answered))
    now--
    return undefined
  }
  const asked = Array.from({ length: 500 }, (_, at) => strangers.look(`key ${at}`, HERE, absent))
  const beside = strangers.look('key', ELSEWHERE, async () => ({ tenantId: 41 }))
  assert.deepEqual(await beside, { refused: null, found: { tenantId: 41 } }, 'another address has turns of its own')
  for (let answered = true; answered; ) {
    await new Promise((turned) => setImmediate(turned))
    answered = waiting.length > 0
    for (const answer of waiting.splice(0)) answer()
  }
  const refused = (await Promise.all(asked)).filter((one) => one.refused !== null)
  assert.ok(looks <= 20 + 16, `${looks} were looked up`)
  assert.equal(looks + refused.length, 500)
  assert.ok(mostAtOnce <= 16, `${mostAtOnce} at the same time`)
})

test('a look that fails leaves its turn to the next', async () => {
  const strangers = openStrangers(2, () => 0)
  const fail = () => Promise.reject(new Error('away'))
  const asked = Array.from({ length: 40 }, (_, at) => strangers.look(`key ${at}`, HERE, fail).catch(() => 'away'))
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['away']))
  const found = await strangers.look('key', HERE, async () => ({ tenantId: 41 }))
  assert.deepEqual(found, { refused: null, found: { tenantId: 41 } })
})

test('what a silent database does not answer holds up nobody else at the address for long, and is bounded', async () => {
  const strangers = openStrangers(1)
  let looks = 0
  const silent = () => {
    looks++
    return new Promise<never>(() => undefined)
  }
  for (let at = 0; at < 500; at++) void strangers.look(`silent ${at}`, ELSEWHERE, silent)
  for (let at = 0; at < 16; at++) void strangers.look(`silent ${at}`, HERE, () => new Promise<never>(() => undefined))
  const beside = await strangers.look('key', HERE, async () => ({ tenantId: 41 }))
  assert.deepEqual(beside, { refused: null, found: { tenantId: 41 } })
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  assert.equal(looks, 16 + 10, 'the allowance of an address is ten, and so many more than at once')
})
