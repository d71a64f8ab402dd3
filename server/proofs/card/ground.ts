// What the tests on PostgreSQL share: the database, the fleet that serves it, and how a process more is started beside it.
import type { Database } from '../../src/foundation/db/index.ts'
import { type Random, randomOf } from '../fuzz/random.ts'
import { type Fleet, openFleet } from './fleet.ts'
import { seed } from './form.ts'
import { openChecked } from './postgres.ts'
import { SETTINGS } from './settings.ts'

export type Ground = {
  readonly url: string
  /** As the proof itself looks at it. */
  readonly db: Database
  readonly fleet: Fleet
  readonly random: Random
  /** Another process on the same database. It is not started again when it dies. */
  beside(settings?: Readonly<Record<string, string>>): Promise<Fleet>
  close(): Promise<void>
}

export type GroundOptions = {
  readonly url: string
  readonly seats: number
  readonly directory: string
  readonly settings?: Readonly<Record<string, string>>
}

export async function openGround({ url, seats, directory, settings = {} }: GroundOptions): Promise<Ground> {
  const all = { ...SETTINGS, 'Database:Url': url, ...settings }
  const db = await openChecked(url)
  const fleet = await openFleet({ seats, settings: all, directory })
  const besides: Fleet[] = []
  return {
    url,
    db,
    fleet,
    random: randomOf(seed, 0),
    async beside(more = {}) {
      const one = await openFleet({ seats: 1, settings: { ...all, ...more }, directory, comesBack: false })
      besides.push(one)
      return one
    },
    async close() {
      await Promise.all([fleet, ...besides].map((one) => one.close()))
      await db.close()
    },
  }
}

/** Settings that load `altered.ts` before the service. */
export const altered = (how: { readonly mutant: string } | { readonly crash: string }): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('altered.ts', import.meta.url)}`,
  ...('mutant' in how ? { CARD_MUTANT: how.mutant } : { CARD_CRASH: how.crash }),
})
