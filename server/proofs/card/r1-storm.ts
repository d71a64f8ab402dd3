// R1, R3 and R13 in one: a storm of confirms under kills, everything unknown reconciled under kills, and somebody who reads the
// trail all along. R2 is the same under power cuts.
import type { Fleet } from './fleet.ts'
import { patienceMs } from './form.ts'
import type { Ground } from './ground.ts'
import type { Pager } from './pager.ts'
import { done, type Receiver } from './receiver.ts'
import { confirmAll, indeterminate, reconcileAll, reconcileTwice } from './settle.ts'
import type { Shop } from './shop.ts'
import { killing, storm, type Told } from './storm.ts'
import { judge, lookAt, naiveDoubles, type Verdict } from './verdict.ts'

export type Weather = {
  readonly shops: readonly Shop[]
  readonly receiver: Receiver
  readonly actions: number
  readonly blows: readonly (() => Promise<void>)[]
}

export type Outcome = {
  readonly told: readonly Told[]
  /** Indeterminate when the storm was over. */
  readonly unknown: number
  readonly naiveDoubles: number
  readonly rounds: number
  /** Sends that another reconcile of what is settled has caused. */
  readonly sendsAfterwards: number
  readonly verdict: Verdict
}

export async function weather(
  { fleet, db, random }: Ground,
  { shops, receiver, actions, blows }: Weather,
): Promise<Outcome> {
  const look = lookAt(db)
  const told = await storm({ fleet, shops, random, actions, blows })
  await fleet.whole()
  const settling = { fleet, told, look, withinMs: patienceMs }
  await confirmAll(settling)
  const open = await indeterminate(told, look)
  const doubles = naiveDoubles(receiver)
  // Twice each, while the endpoint still has its moods and processes still die.
  const kill = killing(fleet, random)
  await Promise.all([reconcileTwice(fleet, open), ...(blows.length > 0 ? [kill()] : [])])
  receiver.play(() => done())
  await fleet.whole()
  const rounds = await reconcileAll(settling)
  const before = receiver.arrivals()
  await reconcileTwice(fleet, open)
  const verdict = await judge(db, told, receiver)
  return {
    told,
    unknown: open.length,
    naiveDoubles: doubles,
    rounds,
    sendsAfterwards: receiver.arrivals() - before,
    verdict,
  }
}

export type { Fleet, Pager }
