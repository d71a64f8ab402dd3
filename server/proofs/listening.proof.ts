// A listener behind three instances and a worker: the balancer remembers nobody, so that the listener asks at one instance, what it is
// to have comes at another, and its answer arrives at a third. While one of them is killed every second, none of a thousand events is
// lost, and no write that is called executed was performed twice, or not at all.
//
//   npm run prove -- listening
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { unlisted } from '../src/kernel/db/index.ts'
import { say, secondsSince } from './card/form.ts'
import { type CardPostgres, openPostgres } from './card/postgres.ts'
import { openScene, type Scene } from './card/scene.ts'
import { operatorKey } from './card/settings.ts'
import { decide, openShop, type Shop, stage } from './card/shop.ts'
import { pause, until } from './card/wait.ts'
import { type Balancer, openBalancer } from './instances/balancer.ts'
import { startWorker, type Worker } from './rig/running-service.ts'

const SEATS = 3
const EVENTS = 1_000
const WRITES = 12
const LEAST_KILLS = 4
const PATIENCE_MS = 240_000
const timeout = 600_000
const BINARY = path.resolve(import.meta.dirname, '../../cli/dist/tether.js')

type Stage = { postgres: CardPostgres; scene: Scene; balancer: Balancer; worker: Worker; directory: string }
let set: Stage | undefined

before(async () => {
  const postgres = await openPostgres()
  if (postgres === undefined) return
  const directory = mkdtempSync(path.join(tmpdir(), 'tether-listening-'))
  const scene = await openScene({
    url: await postgres.database('listening'),
    seats: SEATS,
    directory,
    // What an instance takes with it may be given up by the clock of this proof, and is sent again by the listener.
    settings: { 'Work:InProcess': 'false', 'Events:Concurrency': '16', 'Events:FirstWaitSeconds': '1' },
  })
  const worker = startWorker({ directory, settings: scene.settings })
  const balancer = await openBalancer(SEATS, scene.fleet.portOf)
  set = { postgres, scene, balancer, worker, directory }
})
after(async () => {
  await set?.worker.stop()
  await set?.balancer.close()
  await set?.scene.close()
  await set?.postgres.stop()
  if (set !== undefined) rmSync(set.directory, { recursive: true, force: true })
})

test('behind a balancer that remembers nobody a listener gets every event and every call, while instances die', {
  timeout,
}, async (t) => {
  if (set === undefined) return void t.skip('There is no PostgreSQL server here: apt-get install postgresql.')
  const { scene, balancer, directory } = set
  const { fleet } = scene
  const start = performance.now()
  const machine = await openMachine()
  t.after(() => machine.close())
  const shop = await openShop(fleet, operatorKey, machine.url)
  const listener = listen(balancer, shop, machine.url, directory)
  t.after(() => listener.kill('SIGKILL'))
  const isMoved = async () => {
    const { body } = await fleet.insist(0, 'GET', '/v1/endpoint', { key: shop.apiKey })
    return (body as { url: string | null }).url?.startsWith(balancer.url) === true
  }
  assert.ok(await until(isMoved, 120_000), 'it listens')

  assert.deepEqual(await callAtEach(scene, shop), Array(SEATS).fill('ok'), 'each instance reaches the machine')
  await scene.db.script(`insert into outbox (tenant_id, event_id, event, action_id, lane)
    select ${shop.tenantId}, 'evt_storm_' || n, 'action.expired', gen_random_uuid(), 'a' || n from generate_series(1, ${EVENTS}) as n`)
  const came = () => [...machine.events].filter((id) => id.startsWith('evt_storm_')).length
  let isOver = false
  const deciding = decideAll(scene, shop, () => isOver)
  for (
    let seat = 0;
    (came() < EVENTS || fleet.figures.kills < LEAST_KILLS) && performance.now() - start < PATIENCE_MS;
    seat++
  ) {
    await pause(1_000)
    if (fleet.living() > 1) await fleet.strike(seat % SEATS)
  }
  isOver = true
  const executed = await deciding
  await fleet.whole()
  assert.ok(await until(() => came() === EVENTS, 120_000), `${came()} of ${EVENTS} came`)
  // A read that meets a process that has hardly started may run out of its time, and is asked for again.
  assert.ok(
    await until(async () => (await callAtEach(scene, shop)).every((end) => end === 'ok'), 60_000),
    'and each does',
  )
  assert.equal(listener.exitCode, null)
  assert.ok(await until(async () => (await left(scene)) === 0, 120_000), 'nothing is kept of what was answered')

  const performed = (actionId: string) => machine.performed.get(actionId) ?? 0
  const { kills, faults, hung } = fleet.figures
  const wrong = executed.filter((actionId) => performed(actionId) !== 1)
  say('listening', {
    kills,
    events: came(),
    executed: executed.length,
    wrong: wrong.length,
    seconds: secondsSince(start),
  })
  assert.deepEqual([wrong, faults, hung], [[], [], 0])
  assert.ok(kills >= LEAST_KILLS && executed.length > 0)
})

/** The last statement sees what is kept, and nobody waits any longer. */
const countLeft = unlisted<{ count: number }>(
  'proof.count_requests',
  'select count(*)::int as count from listener_requests',
)
const left = async ({ db }: Scene): Promise<number> => (await db.one(countLeft))?.count ?? 0

/** How a read ends that is asked for at each instance by itself. */
async function callAtEach({ fleet }: Scene, { apiKey }: Shop): Promise<unknown[]> {
  const ends: unknown[] = []
  for (let seat = 0; seat < SEATS; seat++) {
    const body = { arguments: { number: seat } }
    const answer = await fleet.insist(seat, 'POST', '/v1/tools/get_order/call', { key: apiKey, body })
    ends.push((answer.body as { status?: unknown }).status)
  }
  return ends
}

/** Stages and confirms writes, each at another instance, and lists those that were executed by what the service says. */
async function decideAll({ fleet }: Scene, shop: Shop, isOver: () => boolean): Promise<string[]> {
  const executed: string[] = []
  for (let number = 1; number <= WRITES || !isOver(); number++) {
    const { actionId } = await stage(fleet, number, shop, { tool: 'refund_order', number })
    const said = await decide(fleet, number + 1, shop, { verb: 'confirm', actionId })
    if (said?.status === 'Executed') executed.push(actionId)
    await pause(100)
  }
  return executed
}

function listen(balancer: Balancer, shop: Shop, target: string, directory: string): ChildProcessWithoutNullStreams {
  const child = spawn(
    process.execPath,
    ['--no-experimental-strip-types', BINARY, 'listen', target, '--replace', '--json'],
    {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        XDG_CONFIG_HOME: path.join(directory, 'config'),
        TETHER_BASE_URL: balancer.url,
        TETHER_API_KEY: shop.apiKey,
      },
    },
  )
  child.stdout.resume()
  child.stderr.on('data', (text: Buffer) => process.stderr.write(text))
  return child
}

type Machine = {
  readonly url: string
  readonly events: ReadonlySet<string>
  /** How often each write was performed: a receiver knows a claim that comes again. */
  readonly performed: ReadonlyMap<string, number>
  close(): void
}

async function openMachine(): Promise<Machine> {
  const events = new Set<string>()
  const performed = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const said = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Record<string, string>
    if (said.type === 'event') events.add(said.request_id ?? '')
    else if (said.mode === 'execute')
      performed.set(said.action_id ?? '', (performed.get(said.action_id ?? '') ?? 0) + 1)
    response.setHeader('content-type', 'application/json').end('{"state": "done"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`,
    events,
    performed,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
