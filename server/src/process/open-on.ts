import type { App } from '../app.ts'
import { systemClock } from '../foundation/clock/index.ts'
import { type Database, migrate, readMigrations, schemaState } from '../foundation/db/index.ts'
import type { Route } from '../ground/access/index.ts'
import type { Settings } from '../settings/index.ts'
import { databaseOf, exitWith, keyringOf, MIGRATIONS, type StartUp } from './start-up.ts'

/** Everything but the listening: a process that serves, and one that only works, begin alike. */
export async function openOn(
  startUp: StartUp,
  more: () => Promise<readonly Route[]> = async () => [],
): Promise<{ app: App; database: Database }> {
  const { settings, log } = startUp
  // The database opens in its own thread while this one loads the rest of the service.
  const opening = databaseOf(startUp)
  // It may fail before anybody waits for it; what waits below says so.
  opening.catch(() => undefined)
  // Not before its thread has begun: loading modules leaves this one no time for anything else.
  await new Promise((turned) => setImmediate(turned))
  const [database, { openApp }, { checkSentinel }, moreRoutes] = await Promise.all([
    opening,
    import('../app.ts'),
    import('../ground/tenants/index.ts'),
    more(),
  ]).catch(exitWith)
  await requireSchema(database, settings).catch(exitWith)
  const keyring = keyringOf(settings)
  const app = openApp({ settings, db: database, log, clock: systemClock, keyring, moreRoutes })
  await Promise.all([checkSentinel(app.house), app.ready()])
  return { app, database }
}

/** Migrations are a step of their own, but for the embedded database of Development, which has nobody to run them. */
export async function requireSchema(database: Database, settings: Settings): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS)
  const state = await schemaState(database, migrations)
  if (state.kind === 'current') return
  if (state.kind === 'behind' && database.engine === 'embedded' && settings.environment === 'Development') {
    await migrate(database, migrations)
    return
  }
  await database.close()
  throw new Error(state.message)
}
