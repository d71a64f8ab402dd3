// The same storm on the embedded database: one process, nobody beside it, and nothing to look into while it runs.
import { openDatabase } from '../../src/kernel/db/index.ts'
import { type Random, randomOf } from '../fuzz/random.ts'
import { type Fleet, openFleet } from './fleet.ts'
import { patienceMs, seed } from './form.ts'
import { moody } from './moods.ts'
import { done, openReceiver } from './receiver.ts'
import { compiled, operatorKey, SETTINGS, STORMY } from './settings.ts'
import { confirmAll, indeterminate, type Look, reconcileAll } from './settle.ts'
import { openImportedShop, openShop, type Shop } from './shop.ts'
import { killing, mixed, storm, type Told } from './storm.ts'
import { judge, naiveDoubles, type Verdict } from './verdict.ts'

export type Embedded = {
  readonly kills: number
  readonly unknown: number
  readonly naiveDoubles: number
  readonly faults: readonly string[]
  readonly verdict: Verdict
}

/** What one listing shows at most. */
const LISTED = 200
const STATES = ['pending', 'executed', 'failed', 'rejected', 'expired', 'indeterminate', 'precondition_failed']

export async function embedded(directory: string, actions: number, kills: number): Promise<Embedded> {
  const random: Random = randomOf(seed, 1)
  const receiver = await openReceiver(moody(seed))
  const fleet = await openFleet({ seats: 1, settings: { ...SETTINGS, ...STORMY, ...compiled(directory) }, directory })
  try {
    const told: Told[] = []
    const shops: Shop[] = []
    const share = Math.min(LISTED, actions)
    for (let begun = 0; begun < actions; begun += share) {
      // Every other one imported its API.
      const open = shops.length % 2 === 0 ? openImportedShop : openShop
      const shop = await open(fleet, operatorKey, receiver.url)
      shops.push(shop)
      const blows = mixed(random, [Math.round((kills * share) / actions), killing(fleet, random)])
      told.push(
        ...(await storm({
          fleet,
          shops: [shop],
          random,
          actions: Math.min(share, actions - begun),
          blows,
          first: begun,
        })),
      )
    }
    await fleet.whole()
    const settling = { fleet, told, look: listing(fleet, shops, told), withinMs: patienceMs }
    await confirmAll(settling)
    const unknown = (await indeterminate(told, settling.look)).length
    const doubles = naiveDoubles(receiver)
    receiver.play(() => done())
    await reconcileAll(settling)
    await fleet.close()
    const verdict = await verdictOf(directory, told, receiver)
    const { kills: killed, faults } = fleet.figures
    return { kills: killed, unknown, naiveDoubles: doubles, faults, verdict }
  } finally {
    await fleet.close()
    await receiver.close()
  }
}

/** What no listing shows is executing: that is the one state which none can be asked for. */
const listing =
  (fleet: Fleet, shops: readonly Shop[], told: readonly Told[]): Look =>
  async () => {
    const states = new Map(told.map(({ actionId }) => [actionId, 'executing']))
    for (const { apiKey } of shops) {
      for (const state of STATES) {
        const path = `/v1/actions?status=${state}&limit=${LISTED}`
        const { body } = await fleet.insist(0, 'GET', path, { key: apiKey })
        for (const { actionId } of (body as { actions: { actionId: string }[] }).actions) states.set(actionId, state)
      }
    }
    return states
  }

async function verdictOf(
  directory: string,
  told: readonly Told[],
  receiver: Parameters<typeof judge>[2],
): Promise<Verdict> {
  const db = await openDatabase({ at: { directory }, statementTimeoutMs: 0, warn: () => undefined })
  return await judge(db, told, receiver).finally(() => db.close())
}
