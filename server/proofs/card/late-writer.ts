// R7: a process that is stopped past its lease and then goes on. What it has to say comes late, and sometimes too late.
import { patienceMs } from './form.ts'
import { stageSome } from './lost-answers.ts'
import { done, openReceiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import { operatorKey, waiting } from './settings.ts'
import { confirmAll, each, reconcileAll } from './settle.ts'
import { openShop } from './shop.ts'
import { confirm, reconcile, type Told } from './storm.ts'
import { judge, lookAt, type Verdict } from './verdict.ts'
import { until } from './wait.ts'

/** What happens to a write while its process stands still, and what it brings when it goes on. */
const FATES = [
  'left alone',
  'reconciled before',
  'reconciled before, and a failure comes late',
  'reconciled at once',
] as const

/** As many as the service opens to one address: what waits for one is not sent yet. */
const CONNECTIONS = 32

export type LateWriter = {
  readonly actions: number
  /** Of those that nobody reconciled, how many the late answer settled. */
  readonly leftAlone: number
  readonly settledLate: number
  readonly verdict: Verdict
}

export async function lateWriter({ fleet, db, beside }: Scene, count: number): Promise<LateWriter> {
  const go = Promise.withResolvers<void>()
  const fateOf = (number: unknown) => FATES[Number(number) % FATES.length] ?? FATES[0]
  const receiver = await openReceiver(({ arguments: { number }, turn }) => {
    if (turn > 1) return done()
    const failsLate = fateOf(number) === 'reconciled before, and a failure comes late'
    return { performs: 'first', wait: go.promise, answer: { status: failsLate ? 500 : 200, body: '{"late":true}' } }
  })
  try {
    const slow = await beside(waiting(120, 1))
    const told: Told[] = []
    while (told.length < count) {
      const shop = await openShop(fleet, operatorKey, await receiver.another())
      const share = Math.min(CONNECTIONS, count - told.length)
      told.push(...(await stageSome(fleet, shop, { tool: 'refund_order', first: told.length, count: share })))
    }
    const look = lookAt(db)
    const confirms = Promise.all(told.map((one) => confirm(slow, 0, one)))
    const allSent = await until(() => receiver.arrivals() === count, patienceMs)
    process.kill(slow.pidOf(0), 'SIGSTOP')
    const inAll = async (state: string, some: readonly Told[]) => {
      const states = await look()
      return some.every(({ actionId }) => states.get(actionId) === state)
    }
    const allLapsed = await until(() => inAll('indeterminate', told), patienceMs)
    if (!allSent || !allLapsed) throw new Error('Not everything was sent, or not everything lapsed.')
    const of = (...fates: readonly string[]) => told.filter((_, number) => fates.includes(fateOf(number)))
    await each(of(FATES[1], FATES[2]), (one, place) => reconcile(fleet, place, one))
    go.resolve()
    process.kill(slow.pidOf(0), 'SIGCONT')
    await each(of(FATES[3]), (one, place) => reconcile(fleet, place, one))
    await confirms
    const leftAlone = of(FATES[0])
    const states = await look()
    const settledLate = leftAlone.filter(({ actionId }) => states.get(actionId) === 'executed').length
    const settling = { fleet, told, look, withinMs: patienceMs }
    await confirmAll(settling)
    await reconcileAll(settling)
    const verdict = await judge(db, told, receiver)
    return { actions: count, leftAlone: leftAlone.length, settledLate, verdict }
  } finally {
    await receiver.close()
  }
}
