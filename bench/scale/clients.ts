// Who asks in the simulation, and what became of it: clients that come by chance or that ask again as soon as they are
// answered, that give up when it takes too long, and that try again.
import type { Random } from '../retrieval/random.ts'
import type { Agenda } from './agenda.ts'
import { exponential, zipf } from './draws.ts'
import type { Kind, Load } from './load.ts'

export type Recorded = {
  readonly perSecond: number
  readonly meanMs: number
  /** Milliseconds within which this share was answered, of all or of a kind. */
  latency(share: number, kind?: string): number
  /** Requests whose clients wait, on average. */
  readonly underWay: number
  readonly askedAgain: number
  readonly givenUp: number
  /** Answers per second of the workspace that has the most. */
  readonly busiestTenantPerSecond: number
}

export type Record = {
  begin(): void
  again(): void
  end(kind: Kind, tenant: number, sinceMs: number, isAnswered: boolean): void
  read(seconds: number): Recorded
}

/** Counts what ends after `fromMs`. */
export function openRecord(agenda: Agenda, fromMs: number): Record {
  const byKind = new Map<string, number[]>()
  const byTenant = new Map<number, number>()
  let [underWay, underWayMs, since, askedAgain, givenUp] = [0, 0, fromMs, 0, 0]
  const account = (change: number): void => {
    const now = Math.max(agenda.now(), fromMs)
    underWayMs += underWay * (now - since)
    since = now
    underWay += change
  }
  const counts = (): boolean => agenda.now() >= fromMs
  return {
    begin: () => account(1),
    again() {
      if (counts()) askedAgain++
    },
    end(kind, tenant, sinceMs, isAnswered) {
      account(-1)
      if (!counts()) return
      if (!isAnswered) {
        givenUp++
        return
      }
      const latencies = byKind.get(kind.name) ?? []
      byKind.set(kind.name, latencies)
      latencies.push(agenda.now() - sinceMs)
      byTenant.set(tenant, (byTenant.get(tenant) ?? 0) + 1)
    },
    read(seconds) {
      account(0)
      const all = Float64Array.from([...byKind.values()].flat()).sort()
      const sorted = new Map([...byKind].map(([name, values]) => [name, Float64Array.from(values).sort()]))
      return {
        perSecond: all.length / seconds,
        meanMs: all.reduce((sum, one) => sum + one, 0) / all.length,
        latency(share, kind) {
          const of = kind === undefined ? all : sorted.get(kind)
          return of?.[Math.floor(of.length * share)] ?? Number.NaN
        },
        underWay: underWayMs / (seconds * 1000),
        askedAgain,
        givenUp,
        busiestTenantPerSecond: Math.max(0, ...byTenant.values()) / seconds,
      }
    },
  }
}

type Parts = {
  readonly agenda: Agenda
  readonly random: Random
  readonly load: Load
  readonly record: Record
  readonly play: (kind: Kind, tenant: number, done: () => void) => void
}

/** Lets the first of them come. */
export function openClients({ agenda, random, load, record, play }: Parts): () => void {
  const { arrivals, kinds, patience } = load
  const tenantOf = zipf(load.tenants)

  function attempt(kind: Kind, tenant: number, tries: number, end: (isAnswered: boolean) => void): void {
    let isOver = false
    const over = (isAnswered: boolean): void => {
      if (isOver) return
      isOver = true
      if (isAnswered || patience === undefined || tries >= patience.tries) {
        end(isAnswered)
        return
      }
      // A wait between half and all of it: clients that gave up together do not come back together.
      const wait = patience.waitMs * 2 ** (tries - 1) * (0.5 + random.next() / 2)
      agenda.after(wait, () => {
        record.again()
        attempt(kind, tenant, tries + 1, end)
      })
    }
    play(kind, tenant, () => over(true))
    if (patience !== undefined) agenda.after(patience.timeoutMs, () => over(false))
  }

  function ask(then: () => void): void {
    const [kind, tenant, since] = [kindOf(kinds, random), tenantOf(random), agenda.now()]
    record.begin()
    attempt(kind, tenant, 1, (isAnswered) => {
      record.end(kind, tenant, since, isAnswered)
      then()
    })
  }

  return () => {
    if ('clients' in arrivals) {
      const again = (): void => ask(again)
      for (let client = 0; client < arrivals.clients; client++) again()
      return
    }
    const between = exponential(1000 / arrivals.perSecond)
    const come = (): void => {
      ask(() => undefined)
      agenda.after(between(random), come)
    }
    agenda.after(between(random), come)
  }
}

function kindOf(kinds: readonly Kind[], { next }: Random): Kind {
  let left = next() * kinds.reduce((sum, { share }) => sum + share, 0)
  const kind = kinds.find(({ share }) => {
    left -= share
    return left < 0
  })
  const [first] = kinds
  if (kind !== undefined) return kind
  if (first === undefined) throw new Error('A load has at least one kind of request.')
  return first
}
