// From what was measured of each kind by itself, to the kinds of the simulation.
import { always, seen } from './draws.ts'
import type { Kind, Step } from './load.ts'
import { type Measured, type Measurement, stretchOf } from './measure.ts'
import { KINDS, type KindName, type Shares } from './mixed-load.ts'
import { type Deployment, type Simulated, simulate } from './simulate.ts'

/** Statements and calls that a request waits for, one after the other: between them the event loop takes its turn. */
export const WAITS: Readonly<Record<KindName, number>> = { read: 3, stage: 3, confirm: 9, turn: 13 }

/**
 * What a request waits for when there are few is what it waits for when there are many. What processors do for it is taken out of
 * that, because there it stands behind others, and because others take more or less of them at another time.
 */
function kindOf(name: KindName, share: number, alone: Measured, stretch: number): Kind {
  const [loopMs, databaseMs] = [alone.spent.loopMs / alone.answers, alone.spent.databaseMs / alone.answers]
  const rest = alone.latencies.map((ms) => Math.max(0, ms - (loopMs + databaseMs) * stretchOf(alone)))
  const bursts = WAITS[name] + 1
  const burst: Step = { at: 'service', ms: always((loopMs * stretch) / bursts) }
  const statement = { ms: always(databaseMs * stretch), commitMs: always(0) }
  const waits: Step[] =
    name === 'stage'
      ? [{ at: 'line', ms: statement.ms, commitMs: seen(rest) }]
      : [
          { at: 'database', ...statement },
          { at: 'outside', ms: seen(rest) },
        ]
  return { name, share, steps: [burst, ...waits, ...Array.from({ length: bursts - 1 }, () => burst)] }
}

type Question = {
  readonly mix: Shares
  readonly clients: number
  readonly tenants: number
  readonly deployment: Deployment
}

export function predict({ byKind, mixed }: Measurement, { mix, clients, tenants, deployment }: Question): Simulated {
  // How much others took of the processor meanwhile is the machine's doing, so it is that of the slices to be predicted.
  const stretch = stretchOf(mixed)
  const kinds = KINDS.map((name) => kindOf(name, mix[name] ?? 0, byKind[name], stretch))
  return simulate(deployment, { kinds, tenants, arrivals: { clients } }, { seed: 26, seconds: 300, warmUpSeconds: 10 })
}
