import { inTime } from '../../kernel/clock/index.ts'
import { answers } from '../../kernel/db/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { openSentinel } from '../../tenancy/tenants/index.ts'

type Readiness = Readonly<Record<'database' | 'schema' | 'keys' | 'accepting', boolean>>

export type ReadinessRoom = {
  look(): Promise<Readiness>
  /** From now on the process is not ready, though it still answers. */
  drain(): void
}

type Needs = Pick<House, 'db' | 'keyring' | 'clock'> & {
  /** False if the schema lacks what this build needs. */
  readonly schemaFits: () => Promise<boolean>
}

// Anyone may ask, as often as they like, so the database is asked at most once in this time, and never while it still owes an answer.
const FRESH_MS = 1_000

// Balancers wait for a second or two, and take an instance out that keeps them waiting. So an answer does not wait for a database
// that is silent.
const PATIENCE_MS = 700

// The first answer of a process has nothing to fall back on, and comes while everything is still being loaded.
const FIRST_PATIENCE_MS = 5_000

// A database that is slow but answers keeps its instances in the balancer: what a look has found holds for so long.
const TRUSTED_MS = 3_000

const NOTHING = { database: false, schema: false, keys: false }

/** Whether a balancer should send requests here. */
export function openReadiness({ db, keyring, clock, schemaFits }: Needs): ReadinessRoom {
  let draining = false
  let known: { readonly at: number; readonly seen: typeof NOTHING } | undefined
  let last: { readonly at: number; readonly seen: Promise<typeof NOTHING>; ended: boolean } | undefined
  const lookAnew = async () => {
    if (!(await answers(db))) return NOTHING
    const failed = () => false
    const [schema, keys] = await Promise.all([
      schemaFits().catch(failed),
      openSentinel({ db, keyring }).then(({ opens }) => opens, failed),
    ])
    return { database: true, schema, keys }
  }
  const isFresh = (at: number) => last !== undefined && (!last.ended || (at >= last.at && at - last.at < FRESH_MS))
  return {
    async look() {
      const at = clock.now()
      if (last === undefined || !isFresh(at)) {
        const mine = { at, seen: lookAnew(), ended: false }
        last = mine
        void mine.seen.then((seen) => {
          mine.ended = true
          known = { at, seen }
        })
      }
      const seen = await inTime(known === undefined ? FIRST_PATIENCE_MS : PATIENCE_MS, last.seen)
      known ??= { at, seen: NOTHING }
      const trusted = at - known.at < TRUSTED_MS ? known.seen : NOTHING
      return { ...(seen ?? trusted), accepting: !draining }
    },
    drain() {
      draining = true
    },
  }
}
