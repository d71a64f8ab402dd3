// kill -9 again and again while a configuration goes to a thousand businesses: none gets it twice, and none is left out.
import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, unlisted } from '../src/kernel/db/index.ts'
import { type Service, startService } from './rig/running-service.ts'

const businesses = Number(process.env.PUSH_BUSINESSES ?? 1_000)
const kills = Number(process.env.PUSH_KILLS ?? 12)
const operatorKey = `operator-${randomBytes(24).toString('hex')}`
const PARTS = ['catalog', 'domain_pack', 'origins', 'policy'] as const
const askers = 8

const SETTINGS = {
  'Operator:ApiKey': operatorKey,
  'Encryption:Key': randomBytes(32).toString('base64'),
  'RateLimit:ControlPerMinute': '1000000',
  'RateLimit:RuntimePerMinute': '1000000',
  'Log:Level': 'warn',
}

type Made = { tenantId: number; apiKey: string; key: string; pushId: string; total: number }
type Push = {
  total: number
  done: number
  finishedAt: string | null
  results: { tenantId: number; part: string; status: string }[]
}

async function must<Body>(service: Service, method: string, path: string, key: string, body?: object): Promise<Body> {
  const answer = await service.ask(method, path, { key, ...(body === undefined ? {} : { body }) })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body as Body
}

/** A provider with something of each part, and businesses that have none of it. */
async function prepare(service: Service): Promise<string> {
  const { tenantId, apiKey } = await must<Made>(service, 'POST', '/v1/tenants', operatorKey, { name: 'Software House' })
  const { key } = await must<Made>(service, 'POST', `/v1/tenants/${tenantId}/provider`, operatorKey, {})
  const tools = [{ name: 'refund_order', description: 'Pays an order back to whoever placed it.', is_write: true }]
  await service.ask('PUT', '/v1/tools', { key: apiKey, body: tools })
  await must(service, 'PUT', '/v1/domain-pack', apiKey, { lexicon: { returns: ['refund'] } })
  await must(service, 'PUT', '/v1/origins', apiKey, { origins: ['https://app.example.com'] })
  await must(service, 'PUT', '/v1/policy', apiKey, { rules: [{ tools: ['refund_order'], roles: ['manager'] }] })
  const make = async (place: number) => {
    for (let n = place; n < businesses; n += askers)
      await must(service, 'POST', '/v1/provider/tenants', key, { name: `Business ${n}`, configuration: [] })
  }
  await Promise.all(Array.from({ length: askers }, (_, place) => make(place)))
  return key
}

/** Lets the push go on until it has come this far, or as long as that: a kill hits it at any moment, the first included. */
async function letRun(service: Service, read: () => Promise<Push>, upTo: number): Promise<Push> {
  if (randomInt(4) === 0) await pause(randomInt(5, 400))
  let push = await read()
  while (push.finishedAt === null && push.done < upTo) {
    await pause(5)
    push = await read()
  }
  await service.kill()
  return push
}

test(`${kills} times killed while a configuration goes to ${businesses} businesses`, {
  timeout: 1_800_000,
}, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'tether-push-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const start = async () => {
    const service = await startService({ directory, settings: SETTINGS })
    t.after(() => service.kill())
    return service
  }
  let service = await start()
  const key = await prepare(service)
  const accepted = await must<Made>(service, 'PUT', '/v1/provider/configuration', key, { parts: PARTS })
  assert.equal(accepted.total, businesses)
  const read = async () => await must<Push>(service, 'GET', `/v1/provider/configuration/pushes/${accepted.pushId}`, key)
  let unfinished = 0
  for (let round = 1; round <= kills; round++) {
    const before = await letRun(service, read, Math.floor((businesses * round) / (kills + 1)))
    if (before.finishedAt === null) unfinished++
    service = await start()
    const after = await read()
    assert.ok(after.done >= before.done, 'what was said to be done stays done')
    const now = new Map(after.results.map((one) => [`${one.tenantId} ${one.part}`, one.status]))
    for (const one of before.results) assert.equal(now.get(`${one.tenantId} ${one.part}`), one.status)
  }
  let push = await read()
  for (const end = Date.now() + 600_000; push.finishedAt === null && Date.now() < end; push = await read())
    await pause(100)
  assert.ok(push.finishedAt !== null, `only ${push.done} of ${push.total} are done`)
  await service.stop()
  t.diagnostic(`${unfinished} of ${kills} kills hit the push before its end`)
  assert.ok(unfinished >= kills / 2, 'the push was too quick for the kills to mean anything')
  assert.equal(push.results.length, businesses * PARTS.length, 'none was left out')
  assert.deepEqual(
    push.results.filter(({ status }) => status !== 'applied'),
    [],
    'each was applied, in words: what was done twice would be unchanged the second time',
  )
  const remains = await readRemains(directory)
  assert.deepEqual(remains, {
    complete: businesses,
    twice: 0,
    catalogs: businesses,
    policies: businesses,
    packs: businesses,
  })
})

type Remains = { complete: number; twice: number; catalogs: number; policies: number; packs: number }

const count = unlisted<Remains>(
  'proof.push_remains',
  `with businesses as (select * from tenants where provider_tenant_id is not null)
   select (select count(*) from businesses b where b.catalog_version = 1 and b.pack_version = 1 and cardinality(b.origins) = 1
             and b.authority_version = 1)::int as complete,
          (select count(*) from businesses b where b.catalog_version > 1 or b.pack_version > 1 or b.authority_version > 1)::int as twice,
          (select count(*) from catalogs c join businesses b using (tenant_id))::int as catalogs,
          (select count(*) from policies p join businesses b using (tenant_id))::int as policies,
          (select count(*) from domain_packs d join businesses b using (tenant_id))::int as packs`,
)

async function readRemains(directory: string): Promise<Remains | undefined> {
  const database = await openDatabase({ at: { directory }, statementTimeoutMs: 0, warn: () => undefined })
  return await database.one(count).finally(() => database.close())
}
