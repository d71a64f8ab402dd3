// A tenant moves between two databases while it and others stage, confirm, chat and are sent events. The command is killed at each of
// its steps and at random, and run again. Nothing is performed twice, lost, or performed without an approval; others notice nothing; the
// trail has no gap; and the tenant is never served in two places.
//
//   npm run prove -- move       MOVE_KILLS=… for more kills at random
import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { startPostgres } from '../../scripts/private-postgres.ts'
import { systemClock } from '../src/foundation/clock/index.ts'
import { type Database, unlisted } from '../src/foundation/db/index.ts'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import { type PlayedModel, playedModel } from '../testkit/played-model.ts'
import { say, secondsSince } from './card/form.ts'
import { pause, until } from './card/wait.ts'
import { type End, type Ran, runMove } from './move/mover.ts'
import { blow, type Endpoint, openEndpoint, openShop, type Shop } from './move/storm.ts'

const randomKills = Number(process.env.MOVE_KILLS ?? 2)
const STEPS = [
  /Copied ahead/,
  /Waiting until/,
  /Nothing of it is written/,
  /Both hold the same/,
  /is served from/,
  /audit trail holds/,
]

const countServing = unlisted<{ count: number }, { tenantId: number }>(
  'proof.count_serving',
  `select count(*)::int as count from tenants
    where tenant_id = $tenantId::int and deleted_at is null and (moving is null or moving = 'closing')`,
)
const readActions = unlisted<{ id: string; state: string }, { tenantId: number }>(
  'proof.read_actions',
  'select action_id::text as id, state from actions where tenant_id = $tenantId::int',
)
const readTrail = unlisted<{ events: number; last: number; left: number }, { tenantId: number }>(
  'proof.read_trail',
  `select count(*)::int as events, coalesce(max(id), 0)::int as last,
          (select count(*)::int from outbox o where o.tenant_id = $tenantId::int) as left
     from audit_events where tenant_id = $tenantId::int`,
)
const countUsage = unlisted<{ count: number }>('proof.count_usage', 'select count(*)::int as count from usage_rows')
const anyRow = unlisted<{ count: number }, { tenantId: number }>(
  'proof.any_row',
  `select ((select count(*) from actions where tenant_id = $tenantId::int) + (select count(*) from keys where tenant_id = $tenantId::int)
          + (select count(*) from audit_events where tenant_id = $tenantId::int) + (select count(*) from outbox where tenant_id = $tenantId::int)
          + (select count(*) from usage_rows where tenant_id = $tenantId::int))::int as count`,
)

type Stage = {
  readonly houses: readonly [OpenHouse, OpenHouse]
  readonly model: PlayedModel
  readonly endpoint: Endpoint
  readonly first: Database
  readonly second: Database
  /** As the command is given them. */
  readonly settings: Readonly<Record<string, string>>
}

/** Two instances over two databases. Undefined where there is no PostgreSQL. */
async function openStage(t: TestContext): Promise<Stage | undefined> {
  const postgres = await startPostgres({ durable: false })
  if (postgres === undefined) return undefined
  process.env.TEST_DATABASE_URL = postgres.url
  const encryption = randomBytes(32).toString('base64')
  const model = playedModel(['We open at nine.'])
  const common = { newTenants: 'first', clock: systemClock, model, price: { inputMicros: 1, outputMicros: 1 } } as const
  const one = await openHouse({ ...common, settings: { 'Encryption:Key': encryption } })
  const other = await openHouse({ ...common, beside: one })
  const endpoint = await openEndpoint()
  t.after(async () => {
    await other.close()
    await one.close()
    await endpoint.close()
    await postgres.stop()
  })
  for (const house of [one, other]) house.app.startWork()
  const [first, second] = [one.first ?? assert.fail(), one.database]
  const settings = {
    Environment: 'Development',
    'Log:Format': 'json',
    'Encryption:Key': encryption,
    'Database:Url': first.url ?? assert.fail(),
    'Database:Shards': `second=${second.url ?? assert.fail()}`,
  }
  return { houses: [one, other], model, endpoint, first: first.database, second: second.database, settings }
}

type Mover = (to: string, end?: End) => Promise<Ran>

/** Killed at each step, until it has moved, and then at random on its way back. */
async function moveAndKill(move: Mover): Promise<void> {
  for (const at of STEPS) {
    const { code, complaints } = await move('second', { at })
    assert.equal(code, null, `it was to be killed at ${at}: ${complaints}`)
  }
  const done = await move('second')
  assert.equal(done.code, 0, done.complaints)
  for (let kill = 0; kill < randomKills; kill++) await move('first', { afterMs: randomInt(1_500, 6_000) })
  const back = await move('first')
  assert.equal(back.code, 0, back.complaints)
}

test('a tenant that moves under a storm, with a command that is killed again and again', {
  timeout: 600_000,
}, async (t) => {
  const begun = performance.now()
  const stage = await openStage(t)
  if (stage === undefined) return t.skip('there is no PostgreSQL here')
  const { houses, endpoint, first, second, model } = stage
  const [house] = houses
  const shop = await openShop(house, 'Moving Shop', endpoint)
  const others = [await openShop(house, 'Quiet Shop', endpoint), await openShop(house, 'Still Shop', endpoint)]
  const { tenantId } = shop
  const move: Mover = (to, end) =>
    runMove(['--tenant', String(tenantId), '--to', to, '--pause', '30'], stage.settings, end)
  const watch = watchPlaces([first, second], shop)
  const storm = blow(houses, [shop, ...others])
  await pause(1_000)
  await moveAndKill(move)
  // One that nobody disturbs, by which the pause is measured.
  shop.longestGapMs = 0
  const calm = await move('second')
  assert.equal(calm.code, 0, calm.complaints)
  const clientsPauseMs = Math.round(shop.longestGapMs)
  await pause(1_000)
  await storm.stop()
  const servedTwice = await watch.stop()
  const verdict = {
    ...(await judged({ houses, shops: [shop, ...others], places: [second, first], endpoint, model })),
    servedTwice,
  }
  say('move', {
    ...verdict,
    staged: shop.staged.size,
    executed: shop.executed.size,
    turns: shop.turns,
    commandPause: /a pause of ([\d.]+ s)/.exec(calm.lines.join('\n'))?.[1],
    clientsPauseMs,
    refused: Object.fromEntries(shop.refused),
    refusedOfOthers: others.map(({ refused }) => Object.fromEntries(refused)),
    othersGapMs: others.map(({ longestGapMs }) => Math.round(longestGapMs)),
    seconds: secondsSince(begun),
  })
  assert.equal((await first.one(anyRow, { tenantId }))?.count, 0, 'nothing stays where it was')
  assert.deepEqual(verdict, NONE)
  for (const { refused } of others) assert.deepEqual([...refused], [])
  assert.deepEqual([...shop.refused.keys()], ['503 workspace_moving'])
})

const NONE = {
  twice: 0,
  unapproved: 0,
  lost: 0,
  unsaid: 0,
  disordered: 0,
  gaps: 0,
  broken: 0,
  ledger: 0,
  servedTwice: 0,
}

/** Where it goes to is asked before where it comes from, which never serves it again: whoever says yes twice serves it twice. */
function watchPlaces(places: readonly [Database, Database], { tenantId }: Shop) {
  let twice = 0
  let watching = true
  const watch = async () => {
    while (watching) {
      for (const [there, here] of [places, [...places].reverse()] as const) {
        const serving = [await there?.one(countServing, { tenantId }), await here?.one(countServing, { tenantId })]
        const again = await there?.one(countServing, { tenantId })
        // Of one that moved in between, the first has let go by now.
        if (serving.every((one) => one?.count === 1) && again?.count === 1) twice++
      }
      await pause(5)
    }
  }
  const watched = watch()
  return {
    async stop() {
      watching = false
      await watched
      return twice
    },
  }
}

type Asked = {
  readonly houses: readonly OpenHouse[]
  readonly shops: readonly Shop[]
  /** Where the first shop is, and the others. */
  readonly places: readonly [Database, Database]
  readonly endpoint: Endpoint
  readonly model: PlayedModel
}

async function judged({ houses, shops, places, endpoint, model }: Asked) {
  const [house] = houses
  if (house === undefined) throw new Error('There is nobody to ask.')
  const sum = { twice: 0, unapproved: 0, lost: 0, unsaid: 0, disordered: 0, gaps: 0, broken: 0, ledger: 0 }
  for (const [at, shop] of shops.entries()) {
    const db = places[Math.min(at, 1)] ?? assert.fail()
    const { tenantId } = shop
    assert.ok(
      await until(async () => (await db.one(readTrail, { tenantId }))?.left === 0, 60_000),
      'events are still waiting',
    )
    const rows = new Map((await db.rows(readActions, { tenantId })).map(({ id, state }) => [id, state]))
    for (const id of shop.staged) if (!rows.has(id)) sum.lost++
    for (const id of shop.executed) if (rows.get(id) !== 'executed') sum.lost++
    for (const [id, state] of rows) {
      const performed = endpoint.performed.get(id) ?? 0
      if (performed > 1) sum.twice++
      if (performed > 0 && !shop.approved.has(id)) sum.unapproved++
      if (performed === 0 && state === 'executed') sum.lost++
      const events = endpoint.events.get(id) ?? []
      if (!events.includes('action.pending') || (state === 'executed' && !events.includes('action.executed')))
        sum.unsaid++
      if (events[0] !== 'action.pending') sum.disordered++
    }
    const trail = await db.one(readTrail, { tenantId })
    if (trail?.events !== trail?.last) sum.gaps++
    const { body } = await house.ask<{ ok: boolean }>('GET', '/v1/audit/verify', { key: shop.apiKey })
    if (body.ok !== true) sum.broken++
  }
  const rounds = async () => {
    for (const { app } of houses) await app.flush()
    const counts = await Promise.all(places.map((db) => db.one(countUsage)))
    return counts.reduce((all, row) => all + (row?.count ?? 0), 0)
  }
  await until(async () => (await rounds()) === model.requests.length, 10_000)
  sum.ledger = model.requests.length - (await rounds())
  return sum
}
