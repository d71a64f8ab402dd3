// R1 to R3: a storm of confirms under kills and power cuts, then everything that is unknown reconciled, twice and under kills.
import { patienceMs } from './form.ts'
import { done, type Receiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import { confirmAll, indeterminate, reconcileAll, reconcileTwice } from './settle.ts'
import type { Shop } from './shop.ts'
import { killing, storm } from './storm.ts'
import { judge, lookAt, naiveDoubles, type Verdict } from './verdict.ts'

export type Weather = {
  readonly shops: readonly Shop[]
  readonly receiver: Receiver
  readonly actions: number
  readonly blows: readonly (() => Promise<void>)[]
  /** Kills while everything unknown is reconciled. */
  readonly killsAfter: number
  /** When everything is settled, and before it is judged. */
  readonly settled?: () => Promise<void>
}

export type Outcome = {
  /** Indeterminate when the storm was over. */
  readonly unknown: number
  readonly naiveDoubles: number
  readonly confirms: number
  readonly reconciles: number
  readonly rounds: number
  /** Sends that reconciling what is settled has caused. */
  readonly sendsAfterwards: number
  readonly verdict: Verdict
}

export async function weather(scene: Scene, given: Weather): Promise<Outcome> {
  const { fleet, db, random } = scene
  const { shops, receiver, actions, blows, killsAfter, settled } = given
  const told = await storm({ fleet, shops, random, actions, blows })
  await fleet.whole()
  const settling = { fleet, told, look: lookAt(db), withinMs: patienceMs }
  await confirmAll(settling)
  const open = await indeterminate(told, settling.look)
  const doubles = naiveDoubles(receiver)
  const kill = killing(fleet, random)
  const kills = async () => {
    for (let left = killsAfter; left > 0; left--) await kill()
  }
  // While the endpoint still has its moods.
  await Promise.all([reconcileTwice(fleet, open), kills()])
  receiver.play(() => done())
  await fleet.whole()
  const rounds = await reconcileAll(settling)
  const before = receiver.arrivals()
  await reconcileTwice(fleet, open)
  await settled?.()
  return {
    unknown: open.length,
    naiveDoubles: doubles,
    confirms: told.reduce((sum, { confirmed }) => sum + confirmed.length, 0),
    reconciles: told.reduce((sum, one) => sum + one.reconciles, 0),
    rounds,
    sendsAfterwards: receiver.arrivals() - before,
    verdict: await judge(db, told, receiver),
  }
}
