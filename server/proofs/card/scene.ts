// What the tests on PostgreSQL share: the database, the fleet that serves it, and how a process more is started beside it.
import { pathToFileURL } from 'node:url'
import type { Database } from '../../src/kernel/db/index.ts'
import { type Random, randomOf } from '../fuzz/random.ts'
import { startService } from '../rig/running-service.ts'
import { altered as alteredFile } from '../rig/start-file.ts'
import { type Fleet, openFleet } from './fleet.ts'
import { seed } from './form.ts'
import { isOnCitus, openChecked } from './postgres.ts'
import { compiled, SETTINGS } from './settings.ts'

export type Scene = {
  readonly url: string
  /** As the proof itself looks at it. */
  readonly db: Database
  readonly fleet: Fleet
  /** With what its processes run. */
  readonly settings: Readonly<Record<string, string>>
  readonly directory: string
  readonly random: Random
  /** Other processes on the same database, one where nothing is said. They are not started again when they die. */
  beside(settings?: Readonly<Record<string, string>>, how?: Beside): Promise<Fleet>
  close(): Promise<void>
}

type Beside = { readonly seats?: number; readonly patienceMs?: number | undefined }

export type SceneOptions = {
  readonly url: string
  readonly seats: number
  readonly directory: string
  readonly settings?: Readonly<Record<string, string>>
}

export async function openScene({ url, seats, directory, settings = {} }: SceneOptions): Promise<Scene> {
  const where = { 'Database:Url': url, 'Database:DividedByTenant': String(isOnCitus) }
  const all = { ...SETTINGS, ...compiled(directory), ...where, ...settings }
  const db = await openChecked(url)
  const fleet = await openFleet({ seats, settings: all, directory })
  const besides: Promise<Fleet>[] = []
  return {
    url,
    db,
    fleet,
    settings: all,
    directory,
    random: randomOf(seed, 0),
    beside(more = {}, how = {}) {
      const one = openFleet({ seats: 1, ...how, settings: { ...all, ...more }, directory, comesBack: false })
      besides.push(one)
      return one
    },
    async close() {
      // Also those that are still starting, for a test that has failed already.
      await Promise.allSettled([fleet, ...besides].map(async (one) => (await one).close()))
      await db.close()
    },
  }
}

/** Settings that load `altered.ts` before the service. */
export const altered = (how: { readonly mutant: string } | { readonly crash: string }): Record<string, string> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(alteredFile)}`,
  ...('mutant' in how ? { CARD_MUTANT: how.mutant } : { CARD_CRASH: how.crash }),
})

/** One process that starts and stops as it should, which is when what it compiled is kept. */
export async function warmUp({ url, directory }: Pick<SceneOptions, 'url' | 'directory'>): Promise<void> {
  const settings = { ...SETTINGS, ...compiled(directory), 'Database:Url': url }
  await (await startService({ directory, settings })).stop()
}
