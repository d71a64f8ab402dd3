// Three instances behind a balancer that remembers nobody. What one of them was told, the others know at once; a turn that one
// runs is read and stopped at any; and while one of them is killed every second, no answer is wrong.
//
//   npm run prove -- instances      INSTANCES_SECONDS=… for a longer storm
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import type { ScriptedModel } from '../testkit/scripted-model.ts'
import { say, secondsSince } from './card/form.ts'
import { type CardPostgres, openPostgres } from './card/postgres.ts'
import { openReceiver, type Receiver } from './card/receiver.ts'
import { openScene, type Scene } from './card/scene.ts'
import { operatorKey } from './card/settings.ts'
import { openShop, type Shop } from './card/shop.ts'
import { pause, until } from './card/wait.ts'
import { type Balancer, openBalancer } from './instances/balancer.ts'
import { converse, decide, type Figures, leave, noFigures, type Visit } from './instances/journeys.ts'
import { staleThings } from './instances/staleness.ts'
import { openTalker } from './instances/talker.ts'

const SEATS = 3
const stormMs = Number(process.env.INSTANCES_SECONDS ?? 10) * 1000
const LONGEST_STORM_MS = 90_000
const timeout = 240_000
process.setMaxListeners(100)

type Stage = { postgres: CardPostgres; talker: ScriptedModel; scene: Scene; balancer: Balancer; directory: string }
let stage: Stage | undefined

before(async () => {
  const postgres = await openPostgres()
  if (postgres === undefined) return
  const directory = mkdtempSync(join(tmpdir(), 'tether-instances-'))
  const talker = await openTalker()
  const scene = await openScene({
    url: await postgres.database('instances'),
    seats: SEATS,
    directory,
    settings: {
      'AI:Provider:Kind': 'openai-compatible',
      'AI:Provider:BaseUrl': talker.baseUrl,
      'AI:Models:Default': 'talker',
      'AI:Prices:talker:InputPerMillion': '0',
      'AI:Prices:talker:OutputPerMillion': '0',
      'Events:AnswerSeconds': '1',
    },
  })
  const balancer = await openBalancer(SEATS, scene.fleet.portOf)
  stage = { postgres, talker, scene, balancer, directory }
})
after(async () => {
  await stage?.balancer.close()
  await stage?.scene.close()
  await stage?.talker.close()
  await stage?.postgres.stop()
  if (stage !== undefined) rmSync(stage.directory, { recursive: true, force: true })
})

const skip = 'There is no PostgreSQL server here: apt-get install postgresql.'

test('what is changed at one instance, every other knows with its next request', { timeout }, async (t) => {
  if (stage === undefined) return void t.skip(skip)
  const start = performance.now()
  const stale = await staleThings(stage.scene, SEATS, 2)
  say('instances', { part: 'staleness', stale: stale.length, seconds: secondsSince(start) })
  assert.deepEqual(stale, [])
})

test('behind a balancer that remembers nobody, with one instance killed every second, no answer is wrong', {
  timeout,
}, async (t) => {
  if (stage === undefined) return void t.skip(skip)
  const { scene, balancer } = stage
  const start = performance.now()
  const receiver = await openReceiver()
  const events = await openEventsReceiver()
  t.after(() => receiver.close())
  t.after(() => events.close())
  const shop = await openShop(scene.fleet, operatorKey, receiver.url)
  await scene.fleet.insist(0, 'PATCH', `/v1/tenants/${shop.tenantId}`, { key: operatorKey, body: { plan: 'Growth' } })
  await scene.fleet.insist(0, 'PUT', '/v1/events/webhook', { key: shop.apiKey, body: { url: events.url } })
  const figures = await storm(scene, balancer, shop)
  await scene.fleet.whole()
  const untold = await untoldOf(figures, events)
  const { executed, wrong, ...counts } = figures
  const twice = [...receiver.entries()].filter(({ performed }) => performed > 1).length
  const { kills, faults, hung } = scene.fleet.figures
  say('instances', {
    part: 'storm',
    kills,
    ...counts,
    executed: executed.size,
    wrong: wrong.length,
    twice,
    untold: untold.length,
    seconds: secondsSince(start),
  })
  assert.deepEqual([wrong, faults, hung, twice, untold], [[], [], 0, 0, []])
  assert.equal(performedOf(receiver, executed), executed.size, 'what is called executed was performed')
  // The proof is worth something only if turns were read over several connections, and instances were killed.
  assert.ok(kills >= SEATS && figures.answered > 0 && figures.resumed > 0 && executed.size > 0, JSON.stringify(counts))
})

/** Visitors and servers at work, while connections break and instances die. */
async function storm(scene: Scene, balancer: Balancer, shop: Shop): Promise<Figures> {
  const figures = noFigures()
  let number = 0
  const visit: Visit = { url: balancer.url, key: shop.apiKey, figures, next: () => ++number }
  const [from, latest] = [Date.now() + stormMs, Date.now() + LONGEST_STORM_MS]
  // On a machine that has other things to do it lasts until enough has happened to say anything.
  const hasHappened = () =>
    figures.answered > 2 && figures.resumed > 2 && figures.executed.size > 2 && scene.fleet.figures.kills >= SEATS
  const isOver = () => Date.now() > latest || (Date.now() > from && hasHappened())
  const again = async (journey: (visit: Visit) => Promise<void>) => {
    while (!isOver()) await journey(visit).catch((error: unknown) => figures.wrong.push(String(error)))
  }
  const journeys = [converse, converse, converse, converse, leave, decide, decide].map(again)
  for (let seat = 0; !isOver(); seat++) {
    await pause(500)
    balancer.cut()
    await pause(500)
    // Somebody is always there.
    if (scene.fleet.living() > 1) await scene.fleet.strike(seat % SEATS)
  }
  await Promise.all(journeys)
  return figures
}

const performedOf = (receiver: Receiver, executed: ReadonlySet<string>): number =>
  [...executed].filter((actionId) => receiver.entriesOf(actionId).some(({ performed }) => performed === 1)).length

type Events = { readonly url: string; readonly told: ReadonlyMap<string, Set<string>>; close(): Promise<void> }

/** Which events came of each action, by their bodies: the same one more than once is allowed. */
async function openEventsReceiver(): Promise<Events> {
  const told = new Map<string, Set<string>>()
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const { event, action_id: actionId } = JSON.parse(text) as { event: string; action_id: string }
    const known = told.get(actionId) ?? new Set()
    told.set(actionId, known.add(event))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    told,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The actions that were executed and of which the shop was not told, when all leases of dead processes have lapsed. */
async function untoldOf({ executed }: Figures, { told }: Events): Promise<string[]> {
  const left = () => [...executed].filter((actionId) => told.get(actionId)?.has('action.executed') !== true)
  await until(() => left().length === 0, 60_000)
  return left()
}
