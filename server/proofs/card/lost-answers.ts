// R5: the database has done it, and the process that asked never hears of it.
import type { Fleet } from './fleet.ts'
import { patienceMs } from './form.ts'
import { done, openReceiver, type Play, type Receiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import { operatorKey, waiting } from './settings.ts'
import { confirmAll, each, reconcileAll } from './settle.ts'
import { openShop, type Shop, stage, type ToStage } from './shop.ts'
import { confirm, type Told } from './storm.ts'
import { judge, lookAt, naiveDoubles, type Verdict } from './verdict.ts'
import { pause } from './wait.ts'
import { type Loss, openWireProxy, type WireProxy } from './wire-proxy.ts'

type Round = { readonly statement: string; readonly tool: ToStage['tool']; readonly play: Play }

const answering =
  (status: number): Play =>
  ({ turn }) =>
    turn > 1 ? done() : { performs: 'no', answer: { status, body: '' } }

/** Every statement by which a confirm changes something, and an endpoint that leads to it. */
const ROUNDS: readonly Round[] = [
  { statement: 'actions.claim', tool: 'refund_order', play: () => done() },
  { statement: 'actions.succeed', tool: 'refund_order', play: () => done() },
  { statement: 'actions.fail', tool: 'refund_order', play: answering(400) },
  { statement: 'actions.release', tool: 'refund_order', play: answering(429) },
  { statement: 'actions.lose_contact', tool: 'refund_order', play: answering(500) },
  { statement: 'actions.record_verification', tool: 'refund_verified', play: () => done() },
]

export type LostAnswers = {
  readonly lost: number
  readonly longestMs: number
  readonly hung: number
  readonly verdict: Verdict
}

export type Losses = {
  readonly losses: readonly Loss[]
  readonly times: number
  /** Of these statements; of all, where nothing is said. */
  readonly statements?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  readonly patienceMs?: number
}

export async function lostAnswers(scene: Scene, given: Losses): Promise<LostAnswers> {
  const { fleet, db, url } = scene
  const { losses, times, statements, settings } = given
  const receiver = await openReceiver()
  const proxy = await openWireProxy(url)
  try {
    const far = await scene.beside({ 'Database:Url': proxy.url, ...settings }, { patienceMs: given.patienceMs })
    const shop = await openShop(fleet, operatorKey, receiver.url)
    const told: Told[] = []
    let [lost, longestMs] = [0, 0]
    for (const loss of losses) {
      for (const round of ROUNDS) {
        if (statements?.includes(round.statement) === false) continue
        receiver.play(round.play)
        const some = await stageSome(fleet, shop, { tool: round.tool, first: told.length, count: times })
        told.push(...some)
        longestMs = Math.max(longestMs, await loseThem({ far, proxy, loss, round, some }))
        lost += some.length
      }
    }
    receiver.play(() => done())
    const settling = { fleet, told, look: lookAt(db), withinMs: patienceMs }
    await confirmAll(settling)
    await reconcileAll(settling)
    return { lost, longestMs, hung: far.figures.hung, verdict: await judge(db, told, receiver) }
  } finally {
    await proxy.close()
    await receiver.close()
  }
}

type Losing = {
  readonly far: Fleet
  readonly proxy: WireProxy
  readonly loss: Loss
  readonly round: Round
  readonly some: readonly Told[]
}

async function loseThem({ far, proxy, loss, round, some }: Losing): Promise<number> {
  const allLost = proxy.lose(round.statement, loss, some.length)
  const started = performance.now()
  await each(some, (one) => confirm(far, 0, one))
  const ms = performance.now() - started
  const late = pause(5_000).then(() => {
    throw new Error(`"${round.statement}" was asked too seldom to lose ${some.length} of its answers.`)
  })
  await Promise.race([allLost, late])
  return Math.round(ms)
}

export async function stageSome(
  fleet: Fleet,
  shop: Shop,
  { tool, first, count }: { tool: ToStage['tool']; first: number; count: number },
): Promise<Told[]> {
  const numbers = Array.from({ length: count }, (_, place) => first + place)
  return await Promise.all(
    numbers.map(async (number): Promise<Told> => {
      const { actionId } = await stage(fleet, number, shop, { tool, number })
      return { shop, actionId, confirmKey: `confirm-${number}`, confirmed: [], reconciled: [], reconciles: 0 }
    }),
  )
}

export type StaleRelease = { readonly naiveDoubles: number; readonly verdict: Verdict }

/** A process that waits for its endpoint as long as it takes. */
export const UNHURRIED = waiting(60, 90)

/**
 * A gives its claim back and does not hear that it has; B claims and is at the endpoint; A gives back again. What it gives
 * back then must not be B's: a third confirm would send the write while B's is under way.
 */
export async function staleRelease({ db, url, beside }: Scene, near: Fleet, count: number): Promise<StaleRelease> {
  const receiver: Receiver = await openReceiver()
  const proxy = await openWireProxy(url)
  try {
    const far = await beside({ 'Database:Url': proxy.url })
    const held = Promise.withResolvers<void>()
    receiver.play(({ turn }) => {
      if (turn === 1) return { performs: 'no', answer: { status: 429, body: '' } }
      return turn === 2 ? { ...done(), wait: held.promise } : done()
    })
    const shop = await openShop(near, operatorKey, receiver.url)
    const told = await stageSome(near, shop, { tool: 'refund_order', first: 0, count })
    const released = proxy.lose('actions.release', 'cut', count)
    const first = Promise.all(told.map((one) => confirm(far, 0, one)))
    await released
    const second = Promise.all(told.map((one) => confirm(near, 0, one)))
    await first
    await Promise.all(told.map((one) => confirm(near, 0, one)))
    held.resolve()
    await second
    const doubles = naiveDoubles(receiver)
    // Everything is settled by now, or something is wrong.
    const settling = { fleet: near, told, look: lookAt(db), withinMs: 3_000 }
    await confirmAll(settling)
    await reconcileAll(settling)
    return { naiveDoubles: doubles, verdict: await judge(db, told, receiver) }
  } finally {
    await proxy.close()
    await receiver.close()
  }
}
