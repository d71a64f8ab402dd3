// A primary is killed with all its children in the middle of a storm, and its standby takes over. With a synchronous standby
// nothing that was acknowledged is lost, and nothing is performed twice. With an asynchronous one that fell behind, what was
// acknowledged last is gone, and no code can know it: that is counted, and `npm run recover` names each write that was performed.
//
//   npm run prove -- failover       FAILOVER_ACTIONS=… and FAILOVER_TIMES=… for more of it
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { memoryClaims } from '@tether/sdk'
import { unlisted } from '../src/kernel/db/index.ts'
import type { Fleet } from './card/fleet.ts'
import { say, secondsSince } from './card/form.ts'
import { moody } from './card/moods.ts'
import { openPair, type Pair } from './card/pair.ts'
import { done, openReceiver, type Receiver } from './card/receiver.ts'
import { openScene, type Scene } from './card/scene.ts'
import { openSdkReceiver } from './card/sdk-receiver.ts'
import { operatorKey, STORMY } from './card/settings.ts'
import { decide, openShop, type Shop, stage } from './card/shop.ts'
import { none } from './card/verdict.ts'
import { pause } from './card/wait.ts'
import { weather } from './card/weather.ts'
import { runCommand } from './rig/running-service.ts'

const actions = Number(process.env.FAILOVER_ACTIONS ?? 200)
const timeout = 240_000

process.setMaxListeners(100)

test('a synchronous standby takes over: nothing is lost, nothing is performed twice', { timeout }, async (t) => {
  const found = await openAll(t, { synchronous: true, settings: STORMY })
  if (found === undefined) return
  const { pair, scene } = found
  const start = performance.now()
  const receiver = await openReceiver(moody(1))
  t.after(() => receiver.close())
  const open = () => openShop(scene.fleet, operatorKey, receiver.url)
  const [own, ...shops] = [await open(), await open(), await open()] as const
  const clock = outageOf(scene.fleet, own)
  let promotedMs = 0
  const blow = async () => {
    promotedMs = await pair.takeOver()
    // The outage has an end only when somebody has written again.
    await clock.over()
  }
  const { verdict, unknown, naiveDoubles, confirms } = await weather(scene, {
    shops,
    receiver,
    actions,
    blows: [blow],
    killsAfter: 0,
    settled: () => clock.stop(),
  })
  const { violations, facts, examples } = verdict
  const outageMs = Math.round(clock.longestMs())
  const figures = { confirms, unknown, naiveDoubles, ...facts, violations, promotedMs: Math.round(promotedMs) }
  say('failover', { standby: 'synchronous', actions, ...figures, outageMs, seconds: secondsSince(start) })
  assert.deepEqual(violations, none(), examples.join('\n'))
  assert.deepEqual([naiveDoubles, scene.fleet.figures.faults, scene.fleet.figures.hung], [0, [], 0])
  // A second after the standby has taken over, on a machine that is five times as slow.
  assert.ok(outageMs <= promotedMs + 5_000, `${outageMs} ms without a write, and ${promotedMs} ms of them to promote`)
})

test('an asynchronous standby that fell behind takes over: what was acknowledged last is gone, and counted', {
  timeout,
}, async (t) => {
  const found = await openAll(t, { synchronous: false, settings: {} })
  if (found === undefined) return
  const { pair, scene } = found
  const start = performance.now()
  const since = new Date(Date.now() - 60_000).toISOString()
  const receiver = await openSdkReceiver(() => done(), { claims: memoryClaims() })
  t.after(() => receiver.close())
  const shop = await openShop(scene.fleet, operatorKey, receiver.url)
  receiver.admit(shop)
  const acknowledged = await written(scene.fleet, shop, pair)
  const rows = await settledStates(scene, shop)
  const states = new Map(rows.map(({ actionId, state }) => [actionId, state]))
  const gone = acknowledged.filter((actionId) => states.get(actionId) !== 'executed')
  const performedTwice = [...receiver.entries()].filter(({ performed }) => performed > 1).length
  const performedUnknown = gone.filter((actionId) => isPerformed(receiver, actionId)).length
  // What it performed, and what does not stand here as performed: acknowledged or not, counted without the tool.
  const performed = [...receiver.entries()].flatMap(({ actionId, performed }) => (performed > 0 ? [actionId] : []))
  const unknown = performed.filter((actionId) => !states.has(actionId)).length
  const otherwise = performed.filter((actionId) => states.has(actionId) && states.get(actionId) !== 'executed')
  const named = await recovered(scene, since)
  const figures = {
    acknowledged: acknowledged.length,
    ...{
      gone: gone.length,
      performedUnknown,
      performedTwice,
      unknown,
      otherwise: otherwise.length,
      named: named.length,
    },
  }
  say('failover', { standby: 'asynchronous', ...figures, seconds: secondsSince(start) })
  assert.equal(performedTwice, 0)
  // The proof is worth something only if it sees the loss that it warns of.
  assert.ok(gone.length > 0 && performedUnknown > 0, 'nothing was lost: the standby had not fallen behind')
  const ofKind = (kind: string) => named.filter(({ finding }) => finding === kind)
  assert.equal(ofKind('performed_and_unknown').length, unknown)
  for (const { actionId, tool, tenantId } of ofKind('performed_and_unknown'))
    assert.deepEqual([actionId, tool, tenantId], [null, 'refund_order', shop.tenantId])
  assert.deepEqual(
    ofKind('performed_and_stands_otherwise')
      .map(({ actionId }) => actionId)
      .toSorted(),
    otherwise.toSorted(),
  )
  assert.equal(named.length, unknown + otherwise.length, 'it names nothing else')
})

/** What was executing when the primary died is indeterminate as soon as its lease has lapsed. */
async function settledStates({ db }: Scene, { tenantId }: Shop) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const rows = await db.rows(readStates, { tenantId })
    if (rows.every(({ state }) => state !== 'executing')) return rows
    await pause(200)
  }
  throw new Error('A write was executing for two minutes.')
}

type Named = {
  readonly finding: string
  readonly actionId: string | null
  readonly tool: string
  readonly tenantId: number
}

/** As an operator runs it, on the promoted standby. */
async function recovered({ settings, directory }: Scene, since: string): Promise<Named[]> {
  const { status, stdout, stderr } = await runCommand(['recover', '--since', since], { directory, settings })
  assert.equal(status, 1, stderr)
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{"finding"'))
    .map((line) => JSON.parse(line) as Named)
}

const readStates = unlisted<{ actionId: string; state: string }, { tenantId: number }>(
  'proof.read_states',
  `select action_id as "actionId", state from actions where tenant_id = $tenantId::int`,
)

const isPerformed = (receiver: Receiver, actionId: string): boolean =>
  receiver.entriesOf(actionId).some(({ performed }) => performed > 0)

type Opening = { readonly synchronous: boolean; readonly settings: Readonly<Record<string, string>> }

async function openAll(t: TestContext, { synchronous, settings }: Opening) {
  const pair = await openPair({ synchronous })
  if (pair === undefined) return void t.skip('There is no PostgreSQL server here: apt-get install postgresql.')
  t.after(() => pair.stop())
  const directory = mkdtempSync(join(tmpdir(), 'tether-failover-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const scene: Scene = await openScene({ url: pair.url, seats: 2, directory, settings })
  t.after(() => scene.close())
  return { pair, scene }
}

/** Writes all the time, in a workspace of its own, and measures the longest time in which nothing was acknowledged. */
function outageOf(fleet: Fleet, shop: Shop) {
  let [last, longest, staged, stopped] = [performance.now(), 0, 0, false]
  const running = (async () => {
    for (let number = 1_000_000; !stopped; number++) {
      const answer = await fleet.ask(number, 'POST', '/v1/actions', {
        key: shop.apiKey,
        body: { tool: 'refund_soon', arguments: { number } },
      })
      if (answer?.status !== 200) continue
      staged++
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
      await pause(10)
    }
  })()
  return {
    async over() {
      const before = staged
      while (staged === before) await pause(10)
    },
    longestMs: () => longest,
    async stop() {
      stopped = true
      await running
    },
  }
}

/** Eight at a time, until the standby has taken over and each has written once more. */
async function written(fleet: Fleet, shop: Shop, pair: Pair): Promise<string[]> {
  const acknowledged: string[] = []
  let over = false
  const work = async (worker: number) => {
    for (let number = worker; !over; number += 8) {
      const { actionId } = await stage(fleet, worker, shop, { tool: 'refund_order', number })
      const said = await decide(fleet, worker, shop, { verb: 'confirm', actionId })
      if (said?.status === 'Executed') acknowledged.push(actionId)
    }
  }
  const working = Array.from({ length: 8 }, (_, worker) => work(worker))
  while (acknowledged.length < 20) await pause(10)
  await pair.fallBehind()
  const before = acknowledged.length
  // As much as happens while nobody has noticed yet.
  while (acknowledged.length < before + 20) await pause(10)
  await pair.takeOver()
  const afterwards = acknowledged.length
  while (acknowledged.length < afterwards + 8) await pause(10)
  over = true
  await Promise.all(working)
  return acknowledged
}
