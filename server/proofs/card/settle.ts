// After a storm: what was not confirmed is confirmed, what a dead process held is waited for, what nobody knows is reconciled.
import type { Fleet } from './fleet.ts'
import { confirm, reconcile, type Told } from './storm.ts'
import { pause } from './wait.ts'

/** The state of every action, by its id. */
export type Look = () => Promise<ReadonlyMap<string, string>>

type Settling = {
  readonly fleet: Fleet
  readonly told: readonly Told[]
  readonly look: Look
  readonly withinMs: number
}

const AT_ONCE = 16

/** For as long as something gets less: a busy machine is slow, and only one that stands still is done. */
function openPatience(withinMs: number): (left: number) => boolean {
  let [fewest, until] = [Number.POSITIVE_INFINITY, 0]
  return (left) => {
    if (left < fewest) [fewest, until] = [left, Date.now() + withinMs]
    return left > 0 && Date.now() < until
  }
}

/** Until nothing is pending or executing, but not for ever: what is left is the verdict's to count. */
export async function confirmAll({ fleet, told, look, withinMs }: Settling): Promise<void> {
  const goesOn = openPatience(withinMs)
  for (;;) {
    const states = await look()
    const pending = told.filter(({ actionId }) => states.get(actionId) === 'pending')
    const executing = told.filter(({ actionId }) => states.get(actionId) === 'executing').length
    if (!goesOn(pending.length + executing)) return
    await each(pending, (one, place) => confirm(fleet, place, one))
    if (executing > 0) await pause(200)
  }
}

export async function indeterminate(told: readonly Told[], look: Look): Promise<Told[]> {
  const states = await look()
  return told.filter(({ actionId }) => states.get(actionId) === 'indeterminate')
}

/** Each by two at once. */
export async function reconcileTwice(fleet: Fleet, open: readonly Told[]): Promise<void> {
  await each(open, (one, place) => Promise.all([reconcile(fleet, place, one), reconcile(fleet, place + 1, one)]))
}

/** Until nothing is indeterminate; answers how many rounds that took. */
export async function reconcileAll({ fleet, told, look, withinMs }: Settling): Promise<number> {
  const goesOn = openPatience(withinMs)
  for (let round = 0; ; round++) {
    const open = await indeterminate(told, look)
    if (!goesOn(open.length)) return round
    await reconcileTwice(fleet, open)
    await pause(100)
  }
}

export async function each<Item>(
  items: readonly Item[],
  work: (item: Item, place: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const place = next++
      const item = items[place]
      if (item !== undefined) await work(item, place)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
