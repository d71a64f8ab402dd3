// R6: a process that dies at each point of a confirm, whatever the endpoint answered; and where that leaves the write.
import { CALM_LEASE_S, CALM_TIMEOUT_S, patienceMs } from './form.ts'
import { stageSome } from './lost-answers.ts'
import { type Act, done, openReceiver, type Play, type Receiver } from './receiver.ts'
import { altered, type Scene } from './scene.ts'
import { operatorKey, waiting } from './settings.ts'
import { confirmAll, type Look, reconcileAll } from './settle.ts'
import { openShop, type Shop } from './shop.ts'
import { confirm, type Told } from './storm.ts'
import { judge, lookAt, type Verdict } from './verdict.ts'
import { pause, until } from './wait.ts'

type AnswerClass = { readonly name: string; readonly act: () => Act; readonly settled: string }

const refusing = (status: number, body = ''): Act => ({ performs: 'no', answer: { status, body } })

const GARBAGE = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>')

/** What an endpoint can say, and the state that the specification's table names for it. */
const CLASSES: readonly AnswerClass[] = [
  { name: '2xx', act: () => done(), settled: 'executed' },
  { name: '4xx', act: () => refusing(422), settled: 'failed' },
  { name: '408', act: () => refusing(408), settled: 'pending' },
  { name: '429', act: () => refusing(429), settled: 'pending' },
  { name: '5xx', act: () => ({ performs: 'first', answer: { status: 500, body: '' } }), settled: 'indeterminate' },
  { name: 'in_flight', act: () => refusing(409, '{"status":"in_flight"}'), settled: 'indeterminate' },
  { name: 'timeout', act: () => ({ ...done(), wait: pause(CALM_TIMEOUT_S * 1000 + 500) }), settled: 'indeterminate' },
  { name: 'reset', act: () => ({ performs: 'first', answer: 'hang up' }), settled: 'indeterminate' },
  { name: 'garbage', act: () => ({ performs: 'first', answer: { raw: GARBAGE } }), settled: 'indeterminate' },
]

/** Where it dies, and the state that leaves where the answer does not matter. `in_flight` is while the endpoint works. */
const POINTS = [
  { name: 'before_claim', leaves: 'pending' },
  { name: 'after_claim', leaves: 'indeterminate' },
  { name: 'before_send', leaves: 'indeterminate' },
  { name: 'in_flight', leaves: 'indeterminate' },
  { name: 'before_outcome', leaves: 'indeterminate' },
  { name: 'after_outcome', leaves: undefined },
  { name: 'after_verify', leaves: undefined },
] as const
type Point = (typeof POINTS)[number]

export type CrashPoints = {
  readonly points: number
  readonly classes: number
  readonly cells: number
  /** Cells that ended elsewhere than the table says. */
  readonly elsewhere: readonly string[]
  /** Executed ones that answered something else than `Replayed` to the same confirm sent again. */
  readonly notReplayed: number
  readonly verdict: Verdict
}

type Cell = { readonly point: string; readonly expected: string; readonly name: string; readonly told: Told }

export async function crashPoints(scene: Scene): Promise<CrashPoints> {
  const { fleet, db } = scene
  const gone = Promise.withResolvers<void>()
  const receiver = await openReceiver(playing(gone.promise))
  try {
    const look = lookAt(db)
    const shop = await openShop(fleet, operatorKey, receiver.url)
    const cells = (await Promise.all(POINTS.map((point) => crashAt(scene, receiver, shop, point)))).flat()
    gone.resolve()
    const told = cells.map((cell) => cell.told)
    await noneExecuting(told, look)
    const states = await look()
    const elsewhere = cells
      .filter((cell) => states.get(cell.told.actionId) !== cell.expected)
      .map(({ point, name, expected, told }) => `${point} × ${name}: ${states.get(told.actionId)}, not ${expected}`)
    receiver.play(() => done())
    const notReplayed = await confirmAgain(scene, told, states)
    const settling = { fleet, told, look, withinMs: patienceMs }
    await confirmAll(settling)
    await reconcileAll(settling)
    const verdict = await judge(db, told, receiver)
    return { points: POINTS.length, classes: CLASSES.length, cells: cells.length, elsewhere, notReplayed, verdict }
  } finally {
    await receiver.close()
  }
}

/** The number of an order says which point and which class it is for. */
const firstOf = (point: Point): number => POINTS.indexOf(point) * CLASSES.length

function playing(gone: Promise<void>): Play {
  return ({ arguments: { number } }) => {
    const act = CLASSES[Number(number) % CLASSES.length]?.act() ?? done()
    const held = POINTS[Math.floor(Number(number) / CLASSES.length)]?.name === 'in_flight'
    return held ? { ...act, wait: gone } : act
  }
}

/** One write of each class, confirmed at a process that is gone when all of them have come to the point. */
async function crashAt({ fleet, beside }: Scene, receiver: Receiver, shop: Shop, point: Point): Promise<Cell[]> {
  const inFlight = point.name === 'in_flight'
  const doomed = await beside(
    inFlight ? waiting(60, CALM_LEASE_S) : altered({ crash: `${point.name}:${CLASSES.length}` }),
  )
  const told = await stageSome(fleet, shop, { tool: 'refund_verified', first: firstOf(point), count: CLASSES.length })
  const confirms = told.map((one) => confirm(doomed, 0, one))
  if (inFlight) {
    await until(() => told.every(({ actionId }) => receiver.entriesOf(actionId).length === 1), patienceMs)
    await doomed.strike(0)
  }
  const answered = (await Promise.all(confirms)).filter((said) => said !== null)
  if (answered.length > 0) throw new Error(`A process that should have died at ${point.name} answered.`)
  return told.map((one, place) => {
    const { name, settled } = CLASSES[place] ?? { name: '', settled: '' }
    return { point: point.name, name, expected: point.leaves ?? settled, told: one }
  })
}

async function noneExecuting(told: readonly Told[], look: Look): Promise<void> {
  await until(async () => {
    const states = await look()
    return told.every(({ actionId }) => states.get(actionId) !== 'executing')
  }, patienceMs)
}

async function confirmAgain(
  { fleet }: Scene,
  told: readonly Told[],
  states: ReadonlyMap<string, string>,
): Promise<number> {
  const executed = told.filter(({ actionId }) => states.get(actionId) === 'executed')
  const again = await Promise.all(executed.map((one, place) => confirm(fleet, place, one)))
  return again.filter((said) => said?.status !== 'Replayed').length
}
