// Many writes at once, each confirmed by several callers at several processes, while things are killed under them.
import type { Random } from '../fuzz/random.ts'
import type { Fleet } from './fleet.ts'
import { decide, nameOf, type Said, type Shop, stage } from './shop.ts'
import { pause } from './wait.ts'

/** One action, and everything that anybody was told about it. */
export type Told = {
  readonly shop: Shop
  readonly actionId: string
  /** What the receiver calls it, where that is not its id. */
  readonly receivedAs?: string
  readonly confirmKey: string | undefined
  readonly confirmed: Said[]
  readonly reconciled: Said[]
  /** Also those that were never answered: each may have sent the write once more. */
  reconciles: number
}

export type Storm = {
  readonly fleet: Fleet
  readonly shops: readonly Shop[]
  readonly random: Random
  readonly actions: number
  /** The number of the first one: no two orders of a run have the same. */
  readonly first?: number
  /** What is done to the service meanwhile, in this order and evenly spread. */
  readonly blows: readonly (() => Promise<void>)[]
}

const WORKERS = 24

export async function storm(weather: Storm): Promise<Told[]> {
  const { random, actions, blows, first = 0 } = weather
  const told: Told[] = []
  let begun = 0
  let struck = 0
  // No worker runs ahead of the blows, so that every one of them falls into the middle of something.
  const mayBegin = (number: number) => struck === blows.length || number * blows.length < (struck + 1) * actions
  const work = async () => {
    while (begun < actions) {
      const number = begun++
      while (!mayBegin(number)) await pause(10)
      told.push(await one(weather, first + number))
    }
  }
  const strike = async () => {
    for (const blow of blows) {
      while (told.length < ((struck + 0.5) * actions) / blows.length) await pause(5)
      await pause(random.int(30))
      await blow()
      struck++
    }
  }
  await together([strike(), ...Array.from({ length: WORKERS }, work)])
  return told
}

/** The first that fails is thrown when all have ended: nobody goes on behind a test that is over. */
async function together(works: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) if (ended.status === 'rejected') throw ended.reason
}

async function one({ fleet, shops, random }: Storm, number: number): Promise<Told> {
  const shop = random.pick(shops)
  const seat = random.int(fleet.seats)
  const tool = random.chance(0.2) ? 'refund_verified' : 'refund_order'
  const { actionId } = await stage(fleet, seat, shop, { tool, number })
  const confirmKey = random.chance(0.5) ? `confirm-${number}` : undefined
  const receivedAs = nameOf(shop, actionId, number)
  const told: Told = { shop, actionId, receivedAs, confirmKey, confirmed: [], reconciled: [], reconciles: 0 }
  const callers = 2 + random.int(4)
  await Promise.all(Array.from({ length: callers }, (_, caller) => confirm(fleet, seat + caller, told)))
  return told
}

export async function confirm(fleet: Fleet, seat: number, told: Told): Promise<Said | null> {
  const { shop, actionId, confirmKey } = told
  const said = await decide(fleet, seat, shop, {
    verb: 'confirm',
    actionId,
    ...(confirmKey === undefined ? {} : { confirmKey }),
  })
  if (said !== null) told.confirmed.push(said)
  return said
}

export async function reconcile(fleet: Fleet, seat: number, told: Told): Promise<Said | null> {
  told.reconciles++
  const said = await decide(fleet, seat, told.shop, { verb: 'reconcile', actionId: told.actionId })
  if (said !== null) told.reconciled.push(said)
  return said
}

/** kill -9 of any process, but never of the last one of several. */
export const killing = (fleet: Fleet, random: Random) => async (): Promise<void> => {
  while (fleet.seats > 1 && fleet.living() < 2) await pause(10)
  const living = Array.from({ length: fleet.seats }, (_, seat) => seat).filter((seat) => fleet.pidOf(seat) !== 0)
  await fleet.strike(living.length === 0 ? 0 : random.pick(living))
}

/** Each so many times, in an order that the seed decides. */
export function mixed<Blow>(random: Random, ...blows: readonly (readonly [times: number, blow: Blow])[]): Blow[] {
  const all = blows.flatMap(([times, blow]) => Array.from({ length: times }, () => ({ blow, at: random.next() })))
  return all.sort((one, other) => one.at - other.at).map(({ blow }) => blow)
}
