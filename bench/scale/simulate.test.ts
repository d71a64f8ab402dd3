import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../retrieval/random.ts'
import { always, type Draw, exponential, lognormal, zipf } from './draws.ts'
import type { Kind, Load, Step } from './load.ts'
import { type Deployment, type Simulated, simulate } from './simulate.ts'

const one: Deployment = { instances: 1, poolSize: 1_000, databaseCores: 1, mostTogether: 16 }
const none = always(0)
const service = (ms: Draw): Step => ({ at: 'service', ms })
const database = (ms: Draw, commitMs: Draw = none): Step => ({ at: 'database', ms, commitMs })
const line = (ms: Draw, commitMs: Draw): Step => ({ at: 'line', ms, commitMs })
const kind = (...steps: Step[]): Kind => ({ name: 'any', share: 1, steps })

const of = (steps: readonly Step[], arrivals: Load['arrivals'], more: Partial<Load> = {}): Load => ({
  kinds: [kind(...steps)],
  tenants: 1_000,
  arrivals,
  ...more,
})
const run = { seed: 7, seconds: 1_500, warmUpSeconds: 20 }

const within = (found: number, expected: number, share: number, what: string): void =>
  assert.ok(Math.abs(found / expected - 1) <= share, `${what}: ${found} for ${expected}`)

const allOf = ({ latency, ...figures }: Simulated) => ({ ...figures, p50: latency(0.5), p99: latency(0.99) })

test('the same seed gives the same run, another one another', () => {
  const load = of([service(exponential(4)), database(exponential(6))], { perSecond: 100 })
  const short = { seconds: 20, warmUpSeconds: 2 }
  const first = allOf(simulate(one, load, { seed: 1, ...short }))
  assert.deepEqual(allOf(simulate(one, load, { seed: 1, ...short })), first)
  assert.notDeepEqual(allOf(simulate(one, load, { seed: 2, ...short })), first)
})

test('Little: as many are under way as come in the time that one takes', () => {
  const steps = [
    service(exponential(3)),
    database(exponential(6), always(2)),
    { at: 'outside', ms: lognormal(50, 400) },
  ] as const
  const ran = simulate(one, of(steps, { perSecond: 120 }), { ...run, seconds: 200 })
  within(ran.underWay, (ran.perSecond * ran.meanMs) / 1000, 0.02, 'under way')
  within(ran.perSecond, 120, 0.03, 'per second')
})

test('M/M/1: the mean and every quantile of the time in one station', () => {
  const ran = simulate(one, of([service(exponential(8))], { perSecond: 100 }), run)
  const mean = 8 / (1 - 0.8)
  within(ran.meanMs, mean, 0.1, 'mean')
  within(ran.latency(0.5), mean * Math.LN2, 0.1, 'p50')
  within(ran.latency(0.99), mean * Math.log(100), 0.15, 'p99')
  within(ran.serviceBusy, 0.8, 0.03, 'busy')
})

/** Erlang's formula for the share that must wait. */
function erlangC(servers: number, load: number): number {
  let inverse = 1
  for (let at = 1; at <= servers; at++) inverse = 1 + (inverse * at) / load
  const blocked = 1 / inverse
  return blocked / (1 - (load / servers) * (1 - blocked))
}

test('M/M/c: the mean wait for one of several cores', () => {
  const cores = 4
  const ran = simulate({ ...one, databaseCores: cores }, of([database(exponential(32))], { perSecond: 100 }), run)
  const wait = (erlangC(cores, 3.2) * 32) / (cores - 3.2)
  within(ran.meanMs - 32, wait, 0.12, 'wait')
})

test('M/D/1 and M/D/c: where all work takes equally long, half of that wait or a little more', () => {
  const single = simulate(one, of([service(always(8))], { perSecond: 100 }), run)
  within(single.meanMs - 8, (0.8 * 8) / (2 * (1 - 0.8)), 0.08, 'wait for one')
  const several = simulate({ ...one, databaseCores: 4 }, of([database(always(32))], { perSecond: 100 }), run)
  // Cosmetatos: the wait of M/M/c, halved, and a little more the more servers there are.
  const busy = 0.8
  const more = 1 + ((1 - busy) * (4 - 1) * (Math.sqrt(4 + 5 * 4) - 2)) / (16 * busy * 4)
  within(several.meanMs - 32, ((erlangC(4, 3.2) * 32) / (4 - 3.2) / 2) * more, 0.12, 'wait for one of four')
})

test('clients that ask again at once: as many answers as there are clients in the time of one', () => {
  const ran = simulate(one, of([{ at: 'outside', ms: always(50) }], { clients: 16 }), { ...run, seconds: 20 })
  within(ran.perSecond, 16 / 0.05, 0.01, 'per second')
  const full = simulate(one, of([service(always(5)), { at: 'outside', ms: always(50) }], { clients: 64 }), {
    ...run,
    seconds: 20,
  })
  within(full.perSecond, 200, 0.01, 'no more than the event loop does')
})

test('a pool of connections bounds what waits for commits', () => {
  const load = of([database(always(0), always(10))], { clients: 50 })
  const ran = simulate({ ...one, poolSize: 5 }, load, { ...run, seconds: 20 })
  within(ran.perSecond, 500, 0.01, 'per second')
  within(ran.waitForConnection, 45, 0.01, 'waiting')
})

test('one workspace writes one commit after the other, and what comes meanwhile shares one', () => {
  const alone = (mostTogether: number) =>
    simulate({ ...one, mostTogether }, of([line(always(0.1), always(4))], { clients: 32 }, { tenants: 1 }), {
      ...run,
      seconds: 20,
    })
  within(alone(1).perSecond, 1000 / 4.1, 0.01, 'each by itself')
  within(alone(16).perSecond, 16_000 / 5.6, 0.01, 'sixteen together')
  assert.equal(alone(16).busiestTenantPerSecond, alone(16).perSecond)
})

test('who gives up asks again, waits longer each time, and the work is done all the same', () => {
  const load = of(
    [{ at: 'outside', ms: always(300) }],
    { clients: 1 },
    { patience: { timeoutMs: 100, tries: 3, waitMs: 50 } },
  )
  const ran = simulate(one, load, { ...run, warmUpSeconds: 0, seconds: 60 })
  assert.equal(ran.perSecond, 0)
  assert.ok(
    ran.givenUp > 60 && ran.askedAgain >= 2 * ran.givenUp && ran.askedAgain <= 2 * ran.givenUp + 2,
    JSON.stringify(allOf(ran)),
  )
})

test('retries make an overload worse: fewer are answered than without', () => {
  const load = of([service(always(10))], { perSecond: 130 })
  const patience = { timeoutMs: 500, tries: 4, waitMs: 100 }
  const ran = simulate(one, { ...load, patience }, { ...run, seconds: 60 })
  assert.ok(ran.givenUp > 0 && ran.perSecond < 60, `${ran.perSecond} answered in time`)
  within(simulate(one, load, { ...run, seconds: 60 }).perSecond, 100, 0.01, 'without anybody who gives up')
})

test('what is drawn has the shape that its name says', () => {
  const random = randomFrom(3)
  const drawn = (draw: Draw) => Array.from({ length: 20_000 }, () => draw(random)).sort((a, b) => a - b)
  const [answers, tenants] = [drawn(lognormal(800, 9_000)), drawn(zipf(100))]
  within(answers[10_000] ?? 0, 800, 0.05, 'p50')
  within(answers[19_800] ?? 0, 9_000, 0.15, 'p99')
  const share = (tenant: number) => tenants.filter((one) => one === tenant).length
  within(share(0) / share(1), 2, 0.1, 'the first to the second')
  assert.ok(tenants[0] === 0 && tenants.at(-1) === 99)
})
