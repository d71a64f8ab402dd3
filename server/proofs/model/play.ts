// A sequence, played on the service and on the reference side by side.
import assert from 'node:assert/strict'
import type { FaultPoint } from '../../src/writes/actions/index.ts'
import { assertHonest, assertSentWhereSeen, expected, inOrder } from './compare.ts'
import type { Begun, Driven, Staged } from './drive.ts'
import * as reference from './reference.ts'
import type { Command, Sequence } from './sequences.ts'
import { type Tally, tallySaid, tallySeen } from './tally.ts'
import { type Flavour, otherThan, type Said } from './words.ts'

type Stopped = { readonly real: Extract<Begun, { at: FaultPoint }>; readonly wanted: reference.Process }

/** Whatever differs is thrown. */
export async function play(driven: Driven, sequence: Sequence, tally: Tally): Promise<void> {
  const { flavour, commands } = sequence
  const world = reference.newWorld(flavour)
  const staged: Staged[] = []
  Object.assign(driven.shop, { weathers: [], readsFail: false })
  await driven.moveTo(flavour, world.address)
  for (const action of commands.some(({ on }) => on === 1) ? [0, 1] : [0]) {
    staged[action] = await driven.stage(flavour)
    reference.stage(world)
  }
  const follow = openTable(driven, world, staged, tally)
  for (const command of [...openingOf(sequence), ...commands]) await follow(command)
  for (const [at, action] of world.actions.entries()) {
    const place = staged[at] ?? assert.fail()
    const seen = await driven.see(place)
    assert.deepEqual({ ...seen, trail: inOrder(seen.trail) }, expected(flavour, action), `action ${at}`)
    assertHonest(seen)
    assert.ok(driven.shop.close(place.number) <= 1, 'every request of an action carries the same idempotency key')
    tallySeen(tally, seen)
  }
}

/** A confirm that is told to come back; of a policy's two approvers both have said yes by then. */
export const wearing = (time: number, { approvers }: Flavour) => ({
  do: 'confirm' as const,
  on: 0 as const,
  weather: 'busy' as const,
  readsFail: false,
  who: approvers === 2 && time === 0 ? (2 as const) : (1 as const),
  stopAt: null,
  acknowledges: true,
  key: null,
})

function openingOf({ flavour, worn, overslept, weather }: Sequence): Command[] {
  const wore = Array.from({ length: worn }, (_, time): Command => wearing(time, flavour))
  if (overslept === null) return wore
  const stops: Command[] = flavour.approvers === 2 && worn < 2 ? [wearing(0, flavour)] : []
  const stopping: Command = { ...wearing(1, flavour), stopAt: overslept, weather }
  const then = (what: 'pass the window' | 'lapse and recover'): Command => ({ ...wearing(1, flavour), do: what })
  // Before its claim the window ends; after it the lease, or it still executes.
  const passes = overslept === 'before_claim' ? [then('pass the window')] : [then('lapse and recover')]
  return [...wore, ...stops, stopping, ...(overslept === 'after_claim' ? [] : passes)]
}

function openTable(driven: Driven, world: reference.World, staged: readonly Staged[], tally: Tally) {
  const stopped: Stopped[] = []
  // The keys of one sequence are nobody else's.
  const keyOf = (key: string | null) => (key === null ? null : `${staged[0]?.number}-${key}`)
  /** Both were let run up to the same point, and must have got equally far. */
  const meet = (real: Begun, wanted: reference.Process, stopAt: FaultPoint | null): void => {
    for (const { number, stagedFor } of staged)
      assertSentWhereSeen(driven.shop.books.get(number)?.sentTo ?? [], stagedFor)
    const where = advance(wanted, stopAt)
    assert.deepEqual('said' in real ? { said: real.said } : { at: real.at }, where)
    if ('said' in real) tallySaid(tally, real.said)
    else stopped.push({ real, wanted })
  }
  return async function follow(command: Command): Promise<void> {
    const { on, weather, readsFail } = command
    for (const one of [driven.shop, world]) Object.assign(one, { weathers: [weather], readsFail })
    const place = staged[on] ?? assert.fail()
    const action = world.actions[on] ?? assert.fail()
    switch (command.do) {
      case 'confirm': {
        const real = await driven.confirm(place, { ...command, key: keyOf(command.key) }, command.stopAt)
        return meet(real, reference.confirm(world, action, command), command.stopAt)
      }
      case 'reconcile': {
        const real = await driven.reconcile(place, command.who, command.stopAt)
        return meet(real, reference.reconcile(world, action, command.who), command.stopAt)
      }
      case 'go on': {
        const [chosen] = stopped.splice(command.which % Math.max(stopped.length, 1), 1)
        if (chosen === undefined) return
        return meet(await chosen.real.goOn(command.stopAt), chosen.wanted, command.stopAt)
      }
      case 'reject': {
        const said = await driven.reject(place, command.who)
        assert.deepEqual(said, reference.reject(world, action, command.who))
        return tallySaid(tally, said)
      }
      case 'pass the window':
        action.late = true
        return await driven.passWindow(place)
      case 'expire':
        reference.expire(world)
        return await driven.expire()
      case 'lapse and recover':
        reference.recover(world, action)
        await driven.lapseLease(place)
        return await driven.recover()
      case 'recover':
        return await driven.recover()
      case 'move the endpoint':
        world.address = otherThan(world.address)
        return await driven.moveTo(world.flavour, world.address)
      case 'pay back by hand':
        action.book.paidBackByHand = true
        driven.shop.payBackByHand(place.number)
    }
  }
}

function advance(process: reference.Process, stopAt: FaultPoint | null): { said: Said } | { at: FaultPoint } {
  for (;;) {
    const { done, value } = process.next()
    if (done) return { said: value }
    if (value === stopAt) return { at: stopAt }
  }
}
