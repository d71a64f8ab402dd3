import type { App } from '../app.ts'
import { systemClock } from '../foundation/clock/index.ts'
import { type Database, migrate, readMigrations, schemaState } from '../foundation/db/index.ts'
import type { Route } from '../ground/access/index.ts'
import type { Settings } from '../settings/index.ts'
import { databaseOf, exitWith, keyringOf, MIGRATIONS, reportMissingKeys, type StartUp } from './start-up.ts'

/** Opens everything except the port, for a process that serves and for one that only works. */
export async function openOn(
  startUp: StartUp,
  more: () => Promise<readonly Route[]> = async () => [],
): Promise<{ app: App; database: Database }> {
  const { settings, log } = startUp
  // The database opens in its own thread while this one loads the rest of the service.
  const opening = databaseOf(startUp)
  // It may fail before anybody awaits it. The await below reports that.
  opening.catch(() => undefined)
  // We wait until its thread has started, because loading modules keeps this thread busy.
  await new Promise((turned) => setImmediate(turned))
  const [database, { openApp }, { checkSentinel }, moreRoutes] = await Promise.all([
    opening,
    import('../app.ts'),
    import('../ground/tenants/index.ts'),
    more(),
  ]).catch(exitWith)
  await requireSchema(database, settings).catch(exitWith)
  const keyring = keyringOf(settings, reportMissingKeys(log))
  const app = openApp({ settings, db: database, log, clock: systemClock, keyring, moreRoutes })
  await Promise.all([checkSentinel(app.house), app.ready()])
  return { app, database }
}

/** Migrations are a separate step, except on the embedded database of Development, which has nobody to run them. */
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
