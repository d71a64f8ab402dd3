import type { App } from '../app.ts'
import { systemClock } from '../foundation/clock/index.ts'
import { type Database, isUnavailable, readMigrations, schemaState } from '../foundation/db/index.ts'
import type { Route } from '../ground/access/index.ts'
import { openSayAway, requirePlaces, type SayAway } from '../ground/shards/index.ts'
import { checkSentinel } from '../ground/tenants/index.ts'
import { openSeveral, type ShardParts } from '../several.ts'
import { advise, requireSchema } from './held-database.ts'
import { databaseOf, exitWith, keyringOf, MIGRATIONS, reportMissingKeys, type StartUp, shardsOf } from './start-up.ts'

const AGAIN_MS = 1_000

/**
 * Opens the service over several databases. One that is away at the start is waited for while the others serve; one that is not what the
 * settings say ends the start.
 */
export async function openOnSeveral(
  startUp: StartUp,
  more: () => Promise<readonly Route[]>,
): Promise<{ app: App; database: Database }> {
  const { log } = startUp
  const [moreRoutes, migrations] = await Promise.all([more(), readMigrations(MIGRATIONS)]).catch(exitWith)
  const keyring = keyringOf(startUp.settings, reportMissingKeys(log))
  /** Of the first that was seen; all others must have the same. */
  let deployment: string | null = null
  const firstLooks: Promise<unknown>[] = []

  const partsOf = async (named: ReturnType<typeof shardsOf>[0]): Promise<ShardParts> => {
    const { name, settings } = named
    const db = await databaseOf({ settings, log, shard: name })
    const schemaFits = async () => ['current', 'newer'].includes((await schemaState(db, migrations)).kind)
    const look = async () => {
      await requireSchema(db, migrations, settings)
      deployment = await requirePlaces({ name, db }, deployment)
      const own = log.child({ shard: name })
      await checkSentinel({ db, keyring, log: own })
      await advise(db, { ...startUp, settings, log: own })
    }
    const first = Promise.withResolvers<void>()
    firstLooks.push(first.promise)
    const opened = lookUntilThere(look, {
      name,
      looked: first.resolve,
      away: openSayAway(name, log.child({ shard: name })),
    })
    return { name, settings, db, log, clock: systemClock, keyring, moreRoutes, schemaFits, opened }
  }

  const [head, ...rest] = shardsOf(startUp.settings)
  const parts = [await partsOf(head), ...(await Promise.all(rest.map(partsOf)))] as const
  const app = openSeveral(parts, startUp.settings.database.newTenants)
  await Promise.all([...firstLooks, app.ready(), app.server.ready()])
  return { app, database: closingAll(parts) }
}

type Looking = { readonly name: string; readonly looked: () => void; readonly away: SayAway }

/** Whoever is away is asked again each second. Anything else that is wrong needs somebody to correct it. */
async function lookUntilThere(look: () => Promise<void>, { name, looked, away }: Looking): Promise<void> {
  for (;;) {
    try {
      await look()
      return looked()
    } catch (error) {
      if (!isUnavailable(error)) exitWith(`${name}: ${(error as Error).message}`)
      away(error)
    }
    looked()
    await new Promise((again) => {
      setTimeout(again, AGAIN_MS).unref()
    })
  }
}

/** What a stop closes at the end. */
function closingAll([first, ...others]: readonly [ShardParts, ...ShardParts[]]): Database {
  return {
    ...first.db,
    close: async () => {
      await Promise.all([first, ...others].map(({ db }) => db.close()))
    },
  }
}
