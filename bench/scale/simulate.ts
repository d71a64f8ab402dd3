// The service under load, as a simulation: requests come, wait for an instance's event loop, for a connection to the database
// and a core of it, for their workspace's line and for the world outside, and their clients give up and ask again. It knows
// costs; where those come from is not its business.
import { type Random, randomFrom } from '../retrieval/random.ts'
import { type Agenda, openAgenda } from './agenda.ts'
import { openClients, openRecord, type Recorded } from './clients.ts'
import type { Kind, Load, Step } from './load.ts'
import { type Line, openLine, openStation, type Station } from './stations.ts'

export type Deployment = {
  readonly instances: number
  /** Connections to the database of each instance. */
  readonly poolSize: number
  readonly databaseCores: number
  /** Writes of one workspace that share a commit. */
  readonly mostTogether: number
}

export type Simulated = Recorded & {
  /** Share of the time in which they were busy. */
  readonly serviceBusy: number
  readonly databaseBusy: number
  /** On average, those that wait for a connection. */
  readonly waitForConnection: number
}

type Instance = { readonly loop: Station; readonly pool: Station }
/** What a statement costs the database: of a core, and then of the disk. */
type Cost = { readonly ms: number; readonly commitMs: number }
type World = {
  readonly agenda: Agenda
  readonly random: Random
  readonly instances: readonly Instance[]
  readonly cores: Station
  ask(instance: Instance, cost: Cost, done: () => void): void
  lineOf(tenant: number): Line<Cost & { readonly instance: Instance }>
}

type Run = { readonly seed: number; readonly seconds: number; readonly warmUpSeconds: number }

export function simulate(deployment: Deployment, load: Load, { seed, seconds, warmUpSeconds }: Run): Simulated {
  const world = openWorld(deployment, seed)
  const { agenda, random } = world
  const record = openRecord(agenda, warmUpSeconds * 1000)
  const begin = openClients({ agenda, random, load, record, play: (...request) => play(world, ...request) })
  begin()
  agenda.runUntil(warmUpSeconds * 1000)
  const before = figuresOf(world)
  agenda.runUntil((warmUpSeconds + seconds) * 1000)
  const after = figuresOf(world)
  const ms = seconds * 1000
  return {
    ...record.read(seconds),
    serviceBusy: (after.loopMs - before.loopMs) / ms / deployment.instances,
    databaseBusy: (after.coreMs - before.coreMs) / ms / deployment.databaseCores,
    waitForConnection: (after.waitedMs - before.waitedMs) / ms,
  }
}

function openWorld({ instances, poolSize, databaseCores, mostTogether }: Deployment, seed: number): World {
  const agenda = openAgenda()
  const cores = openStation(agenda, databaseCores)
  const lines = new Map<number, ReturnType<World['lineOf']>>()
  const ask: World['ask'] = ({ pool }, { ms, commitMs }, done) =>
    pool.take((give) =>
      cores.serve(ms, () =>
        agenda.after(commitMs, () => {
          give()
          done()
        }),
      ),
    )
  const openOne = (): ReturnType<World['lineOf']> =>
    openLine(mostTogether, (together, done) => {
      const [first] = together
      if (first === undefined) return
      const ms = together.reduce((sum, one) => sum + one.ms, 0)
      ask(first.instance, { ms, commitMs: Math.max(...together.map(({ commitMs }) => commitMs)) }, done)
    })
  return {
    agenda,
    random: randomFrom(seed),
    cores,
    instances: Array.from({ length: instances }, () => ({
      loop: openStation(agenda, 1),
      pool: openStation(agenda, poolSize),
    })),
    ask,
    lineOf(tenant) {
      const line = lines.get(tenant) ?? openOne()
      lines.set(tenant, line)
      return line
    },
  }
}

function figuresOf({ instances, cores }: World): { loopMs: number; coreMs: number; waitedMs: number } {
  const sum = (of: (instance: Instance) => number) => instances.reduce((total, one) => total + of(one), 0)
  return {
    loopMs: sum(({ loop }) => loop.figures().busyMs),
    coreMs: cores.figures().busyMs,
    waitedMs: sum(({ pool }) => pool.figures().waitedMs),
  }
}

/** Plays one request to its end. That its client has left meanwhile does not stop it. */
function play(world: World, kind: Kind, tenant: number, done: () => void): void {
  const { agenda, random, instances } = world
  const instance = random.pick(instances)
  if (instance === undefined) throw new Error('A deployment has at least one instance.')
  const go = (at: number): void => {
    const step = kind.steps[at]
    if (step === undefined) done()
    else perform(step, () => go(at + 1))
  }
  const perform = (step: Step, next: () => void): void => {
    const ms = step.ms(random)
    if (step.at === 'service') instance.loop.serve(ms, next)
    else if (step.at === 'outside') agenda.after(ms, next)
    else {
      const commitMs = step.commitMs(random)
      if (step.at === 'database') world.ask(instance, { ms, commitMs }, next)
      else world.lineOf(tenant).write({ ms, commitMs, instance }, next)
    }
  }
  go(0)
}
