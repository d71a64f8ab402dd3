// R17: a process that is asked to stop finishes the confirms that run, and answers them.
import { patienceMs } from './form.ts'
import { stageSome, UNHURRIED } from './lost-answers.ts'
import { done, openReceiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import { operatorKey } from './settings.ts'
import { openShop } from './shop.ts'
import { confirm } from './storm.ts'
import { judge, type Verdict } from './verdict.ts'
import { pause, until } from './wait.ts'

export type Shutdown = {
  readonly confirms: number
  /** Answered `Executed`, by a process that had been asked to stop before its endpoint answered. */
  readonly executed: number
  readonly exitCode: number | null
  /** From the last answer to the end of the process. */
  readonly leftAfterMs: number
  readonly verdict: Verdict
}

export async function shutdown({ fleet, db, beside }: Scene, count: number): Promise<Shutdown> {
  const held = Promise.withResolvers<void>()
  const receiver = await openReceiver(() => ({ ...done(), performs: 'last', wait: held.promise }))
  try {
    const leaving = await beside(UNHURRIED)
    const shop = await openShop(fleet, operatorKey, receiver.url)
    const told = await stageSome(fleet, shop, { tool: 'refund_verified', first: 0, count })
    const confirms = Promise.all(told.map((one) => confirm(leaving, 0, one)))
    if (!(await until(() => receiver.arrivals() === count, patienceMs))) throw new Error('Not everything was sent.')
    const stopped = leaving.stop(0)
    await pause(500)
    held.resolve()
    const executed = (await confirms).filter((said) => said?.status === 'Executed').length
    const answered = performance.now()
    const exitCode = await stopped
    const leftAfterMs = Math.round(performance.now() - answered)
    return { confirms: count, executed, exitCode, leftAfterMs, verdict: await judge(db, told, receiver) }
  } finally {
    held.resolve()
    await receiver.close()
  }
}
