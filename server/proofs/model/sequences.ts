// Everything that may happen to staged writes, in any order: what the proof generates.
import fc from 'fast-check'
import { FAULT_POINTS, type FaultPoint } from '../../src/writes/actions/index.ts'
import { WEATHERS, type Weather } from './shop.ts'
import type { Confirm, Flavour, Who } from './words.ts'

type Air = { readonly weather: Weather; readonly readsFail: boolean }
/** `on` is one of the two actions. */
export type Command = { readonly on: 0 | 1 } & Air &
  (
    | ({ readonly do: 'confirm'; readonly stopAt: FaultPoint | null } & Confirm)
    | { readonly do: 'reconcile'; readonly stopAt: FaultPoint | null; readonly who: Who }
    /** Somebody who stopped goes on. Whoever never does is a process that died. */
    | { readonly do: 'go on'; readonly stopAt: FaultPoint | null; readonly which: number }
    | { readonly do: 'reject'; readonly who: Who }
    | {
        readonly do:
          | 'pass the window'
          | 'expire'
          | 'lapse and recover'
          | 'recover'
          | 'pay back by hand'
          | 'move the endpoint'
      }
  )
export type Sequence = {
  readonly flavour: Flavour
  /** How often a confirm was already told to come back. */
  readonly worn: number
  /** Then one may have stopped here, with this weather before it or behind it; `openingOf` says what has passed since. */
  readonly overslept: FaultPoint | null
  readonly weather: Weather
  readonly commands: readonly Command[]
}

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
export const who = fc.oneof(often(9, fc.constantFrom<Who>(1, 2)), often(1, fc.constantFrom<Who>('token', 'nobody', 3)))
const stopAt = fc.oneof(
  often(3, fc.constant(null)),
  often(2, fc.constantFrom<FaultPoint>('before_claim', 'before_outcome')),
  often(1, fc.constantFrom(...FAULT_POINTS)),
)
const key = fc.oneof(often(2, fc.constant(null)), often(1, fc.constantFrom('k1', 'k2')))
const around = {
  on: fc.oneof(often(5, fc.constant(0 as const)), often(1, fc.constant(1 as const))),
  weather: fc.oneof(often(1, fc.constant('fine' as const)), often(2, fc.constantFrom(...WEATHERS))),
  readsFail: fc.oneof(often(9, fc.constant(false)), often(1, fc.constant(true))),
}
const one = <const Do extends string>(name: Do) => fc.record({ do: fc.constant(name), ...around })
const command: fc.Arbitrary<Command> = fc.oneof(
  often(
    9,
    fc.record({
      do: fc.constant('confirm' as const),
      ...around,
      who,
      stopAt,
      acknowledges: fc.oneof(often(4, fc.constant(true)), often(1, fc.constant(false))),
      key,
    }),
  ),
  often(5, fc.record({ do: fc.constant('go on' as const), ...around, stopAt, which: fc.nat(3) })),
  often(
    4,
    fc.record({ do: fc.constant('reconcile' as const), ...around, stopAt, who: fc.constantFrom<Who>('nobody', 1, 2) }),
  ),
  often(4, one('lapse and recover')),
  often(1, fc.record({ do: fc.constant('reject' as const), ...around, who: fc.constantFrom<Who>('nobody', 1, 3) })),
  often(2, one('pass the window')),
  often(1, one('expire')),
  often(1, one('recover')),
  often(1, one('pay back by hand')),
  often(1, one('move the endpoint')),
)
export const flavour: fc.Arbitrary<Flavour> = fc.record({
  tool: fc.constantFrom<Flavour['tool']>('plain', 'plain', 'risky', 'checked'),
  approvers: fc.constantFrom<Flavour['approvers']>(0, 0, 1, 1, 2),
})
export const sequence: fc.Arbitrary<Sequence> = fc.record({
  flavour,
  worn: fc.oneof(often(4, fc.constant(0)), often(1, fc.constantFrom(1, 2))),
  overslept: fc.oneof(
    often(2, fc.constant(null)),
    often(2, fc.constantFrom<FaultPoint>('before_claim', 'after_claim', 'before_send', 'before_outcome')),
  ),
  weather: around.weather,
  commands: fc.array(command, { minLength: 1, maxLength: 12, size: 'max' }),
})
