// From costs to machines: how many processes and cores carry so many requests a second, and what the simulation says of them.
import { always, lognormal } from './draws.ts'
import type { Kind, Load, Step } from './load.ts'
import { type Deployment, type Simulated, simulate } from './simulate.ts'

/** Of one kind of request: milliseconds of processor time, and bytes that stay. */
export type Cost = {
  readonly name: string
  readonly share: number
  readonly serviceMs: number
  readonly databaseMs: number
  readonly storedBytes: number
}

export type Machines = {
  readonly deployment: Deployment
  readonly connections: number
  readonly gigabytesPerDay: number
}

/** So busy may processes and cores be on average: more, and what comes by chance waits too long. */
export const BUSY = 0.6
const POOL = 10
const DAY_S = 86_400

const perRequest = (costs: readonly Cost[], of: (cost: Cost) => number): number =>
  costs.reduce((sum, cost) => sum + cost.share * of(cost), 0) / costs.reduce((sum, { share }) => sum + share, 0)

export function machinesFor(costs: readonly Cost[], perSecond: number): Machines {
  const needed = (ms: number): number => Math.ceil((perSecond * ms) / 1000 / BUSY)
  const instances = Math.max(2, needed(perRequest(costs, ({ serviceMs }) => serviceMs)))
  return {
    deployment: {
      instances,
      poolSize: POOL,
      databaseCores: Math.max(1, needed(perRequest(costs, ({ databaseMs }) => databaseMs))),
      mostTogether: 16,
    },
    connections: instances * POOL,
    gigabytesPerDay: (perSecond * DAY_S * perRequest(costs, ({ storedBytes }) => storedBytes)) / 1e9,
  }
}

/** What is assumed of the world: a disk, endpoints of businesses and a model, some of which are slow. */
export const ASSUMED = {
  commitMs: 2,
  endpoint: { p50Ms: 50, p99Ms: 500 },
  model: { p50Ms: 3_000, p99Ms: 15_000 },
  tenants: 10_000,
  patience: { timeoutMs: 30_000, tries: 3, waitMs: 1_000 },
} as const

function stepsOf({ name, serviceMs, databaseMs }: Cost): Step[] {
  const commitMs = always(ASSUMED.commitMs)
  const half: Step = { at: 'service', ms: always(serviceMs / 2) }
  const read: Step = { at: 'database', ms: always(databaseMs / 2), commitMs: always(0) }
  const write: Step = { at: 'line', ms: always(databaseMs / 2), commitMs }
  const endpoint: Step = { at: 'outside', ms: lognormal(ASSUMED.endpoint.p50Ms, ASSUMED.endpoint.p99Ms) }
  const model: Step = { at: 'outside', ms: lognormal(ASSUMED.model.p50Ms, ASSUMED.model.p99Ms) }
  if (name === 'stage') return [half, read, write, half]
  if (name === 'confirm') return [half, write, endpoint, write, half]
  return [half, read, name === 'turn' ? model : endpoint, read, half]
}

export function carried(costs: readonly Cost[], perSecond: number, { deployment }: Machines): Simulated {
  const kinds = costs.map((cost): Kind => ({ name: cost.name, share: cost.share, steps: stepsOf(cost) }))
  const { tenants, patience } = ASSUMED
  const load: Load = { kinds, tenants, arrivals: { perSecond }, patience }
  const seconds = Math.min(120, Math.max(5, 60_000 / perSecond))
  return simulate(deployment, load, { seed: 26, seconds, warmUpSeconds: 20 })
}
