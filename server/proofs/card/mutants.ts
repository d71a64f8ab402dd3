// R4: the same checks on a service that does one thing wrong. A card that does not see these would see nothing.

import { amending } from './amending.ts'
import { staleRelease, UNHURRIED } from './lost-answers.ts'
import type { CardPostgres } from './postgres.ts'
import { done, openReceiver } from './receiver.ts'
import { altered, openScene } from './scene.ts'
import { operatorKey, STORMY } from './settings.ts'
import { confirmAll } from './settle.ts'
import { openShop } from './shop.ts'
import { killing, mixed, storm } from './storm.ts'
import { judge, lookAt, naiveDoubles, type Verdict } from './verdict.ts'
import { pause } from './wait.ts'

export const MUTANTS = ['requeue', 'no_lease', 'no_claim_token', 'amend_anything'] as const
export type Mutant = (typeof MUTANTS)[number]

/** What the card says of it: more than nothing. What is unknown is no violation here, as nothing was reconciled. */
export type Seen = Readonly<Record<string, number>>

const ACTIONS = 48
const KILLS = 2
/** A lease, the sweep that looks every 5 s, and a little. */
const PATIENCE_MS = 9_000

export async function seeMutant(postgres: CardPostgres, directory: string, mutant: Mutant): Promise<Seen> {
  const url = await postgres.database(`card_${mutant}`)
  const storms = mutant === 'requeue' || mutant === 'no_lease'
  const settings = { ...altered({ mutant }), ...(storms ? STORMY : UNHURRIED) }
  const scene = await openScene({ url, seats: 1, directory, settings })
  try {
    if (storms) return await stormOver(scene)
    if (mutant === 'amend_anything') {
      const { lost, wrong } = await amending(scene, 2 * ACTIONS)
      return { lost: lost.length, wrong: wrong.length }
    }
    const { verdict, naiveDoubles } = await staleRelease(scene, scene.fleet, 5)
    return seen(verdict, naiveDoubles)
  } finally {
    await scene.close()
  }
}

/** Every write is slow, so that every kill meets some under way. */
async function stormOver({ fleet, db, random }: Awaited<ReturnType<typeof openScene>>): Promise<Seen> {
  const receiver = await openReceiver(() => ({ ...done(), wait: pause(100 + random.int(200)) }))
  try {
    const shop = await openShop(fleet, operatorKey, receiver.url)
    const blows = mixed(random, [KILLS, killing(fleet, random)])
    const told = await storm({ fleet, shops: [shop], random, actions: ACTIONS, blows })
    await fleet.whole()
    await confirmAll({ fleet, told, look: lookAt(db), withinMs: PATIENCE_MS })
    return seen(await judge(db, told, receiver), naiveDoubles(receiver))
  } finally {
    await receiver.close()
  }
}

function seen({ violations: { leftIndeterminate: _, ...others } }: Verdict, naiveDoubles: number): Seen {
  return { ...others, naiveDoubles }
}
