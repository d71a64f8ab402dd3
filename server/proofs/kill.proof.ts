// kill -9 in a loop while keys are issued: every key that was answered works afterwards, and none is half made.
import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { type Issued, issueUntilKilled, type Shop } from './kill/issuing.ts'
import { readRemains } from './kill/remains.ts'
import { type Service, startService } from './rig/running-service.ts'

const rounds = Number(process.env.KILL_ROUNDS ?? 30)
const operatorKey = `operator-${randomBytes(24).toString('hex')}`

const SETTINGS = {
  'Operator:ApiKey': operatorKey,
  'Encryption:Key': randomBytes(32).toString('base64'),
  'Account:MaxLiveKeys': '1000',
  'RateLimit:ControlPerMinute': '1000000',
  'RateLimit:AnonymousPerMinute': '1000000',
  'Log:Level': 'warn',
}

test(`${rounds} times killed while keys are issued`, { timeout: 900_000 }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'tether-kill-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const start = async () => {
    const service = await startService({ directory, settings: SETTINGS })
    t.after(() => service.kill())
    return service
  }
  const shops: Shop[] = []
  let latest: readonly Shop[] = []
  for (let round = 1; round <= rounds; round++) {
    const service = await start()
    for (const shop of latest) await verify(service, shop)
    // From "the first key is under way" to "many commits are in the log".
    const moment = round % 2 === 0 ? { afterMs: randomInt(5, 700) } : { atAnswer: randomInt(1, 60) }
    latest = await issueUntilKilled(service, operatorKey, moment)
    shops.push(...latest)
  }
  const service = await start()
  // What the last kills left intact an earlier restart may still have spoilt.
  for (const shop of shops) await verify(service, shop)
  await service.stop()

  const keys = shops.flatMap(({ answered }) => answered.map(({ key }) => key))
  const unanswered = shops.reduce((sum, shop) => sum + shop.unanswered, 0)
  const remains = await readRemains(directory, keys)
  t.diagnostic(
    `${shops.length} workspaces and ${keys.length} keys were answered, ${unanswered} requests for keys were not`,
  )
  t.diagnostic(`in the database: ${JSON.stringify(remains)}`)
  assert.ok(keys.length > rounds * 3, 'too few keys were issued for the kills to mean anything')
  assert.equal(remains.living, keys.length)
  assert.deepEqual([remains.keysWithoutOneEvent, remains.eventsWithoutKey, remains.tenantsHalfMade], [0, 0, 0])
  // A workspace whose answer was lost has its first key; every round can lose one.
  const lostShops = remains.tenants - shops.length
  assert.ok(lostShops >= 0 && lostShops <= rounds, `${lostShops} workspaces too many`)
  const unknown = remains.keys - keys.length - lostShops
  assert.ok(unknown >= 0 && unknown <= unanswered, `${unknown} keys that nobody was told of, of ${unanswered} requests`)
})

type Listed = { keys: { prefix: string; kind: string; revokedAt: string | null; createdAt: string }[] }

async function verify(service: Service, { apiKey, answered, unanswered }: Shop): Promise<void> {
  for (let at = 0; at < answered.length; at += 8) {
    await Promise.all(answered.slice(at, at + 8).map((issued) => verifyKey(service, issued)))
  }
  const { body, status } = await service.ask('GET', '/v1/account/keys', { key: apiKey })
  assert.equal(status, 200)
  const { keys } = body as Listed
  const kinds = new Map(keys.map(({ prefix, kind }) => [prefix, kind]))
  for (const { key, kind } of answered) assert.equal(kinds.get(key.slice(0, 12)), kind)
  assert.ok(keys.every(({ revokedAt, createdAt }) => revokedAt === null && Date.parse(createdAt) > 0))
  const more = keys.length - answered.length
  assert.ok(more >= 0 && more <= unanswered, `${more} listed keys too many, of ${unanswered} unanswered requests`)
}

/** It is known (a key that is not is 401), and of the kind as which it was issued. */
async function verifyKey(service: Service, { key, kind }: Issued): Promise<void> {
  const { status, body, text } = await service.ask('GET', '/v1/account/keys/self', { key })
  if (kind === 'secret' || kind === 'ci') {
    assert.equal(status, 200, text)
    assert.equal((body as { kind: string }).kind, kind)
  } else {
    assert.equal(status, 403, text)
    assert.match(text, new RegExp(`"insufficient_scope".*(?:${kind} key|not_an_${kind}_route)`))
  }
}
