import type { App } from '../app.ts'
import { systemClock } from '../kernel/clock/index.ts'
import { type Database, readMigrations, schemaState } from '../kernel/db/index.ts'
import type { Settings } from '../kernel/settings/index.ts'
import type { Route } from '../tenancy/access/index.ts'
import { advise, requireSchema } from './held-database.ts'
import { databaseOf, exitWith, keyringOf, MIGRATIONS, reportMissingKeys, type StartUp } from './start-up.ts'

/** Opens everything except the port, for a process that serves and for one that only works. */
export async function openOn(
  startUp: StartUp,
  more: () => Promise<readonly Route[]> = async () => [],
): Promise<{ app: App; database: Database }> {
  const { settings, log } = startUp
  // The database opens in its own thread while this one loads the rest of the service and puts it together.
  const opening = databaseOf(startUp)
  // It may fail before anybody awaits it. The await below reports that.
  opening.catch(() => undefined)
  // We wait until its thread has started, because loading modules keeps this thread busy.
  await new Promise((turned) => setImmediate(turned))
  const [{ openApp }, { MODULES: modules }, { checkSentinel }, moreRoutes, migrations] = await Promise.all([
    import('../app.ts'),
    import('../modules.ts'),
    import('../tenancy/tenants/index.ts'),
    more(),
    readMigrations(MIGRATIONS),
  ]).catch(exitWith)
  const db = whenOpen(settings, opening)
  const keyring = keyringOf(settings, reportMissingKeys(log))
  // A newer schema fits as well: while a deployment is under way, the instances of before still serve.
  const schemaFits = async () => ['current', 'newer'].includes((await schemaState(db, migrations)).kind)
  const app = openApp({ settings, db, log, clock: systemClock, keyring, modules, moreRoutes, schemaFits })
  const schemaHeld = opening.then((database) => requireSchema(database, migrations, settings)).catch(exitWith)
  await Promise.all([schemaHeld, app.ready(), app.server.ready()])
  await checkSentinel(app.house)
  await advise(db, startUp)
  return { app, database: db }
}

/** A database that is still opening. What is asked of it waits until it is open. */
function whenOpen({ database }: Settings, opening: Promise<Database>): Database {
  return {
    engine: database.url === undefined ? 'embedded' : 'server',
    rows: async (statement, ...values) => (await opening).rows(statement, ...values),
    one: async (statement, ...values) => (await opening).one(statement, ...values),
    inLine: async (line, statement, ...values) => (await opening).inLine(line, statement, ...values),
    run: async (statement, ...values) => (await opening).run(statement, ...values),
    script: async (text) => (await opening).script(text),
    transaction: async (work, options) => (await opening).transaction(work, options),
    listen(channels, hear) {
      const listening = opening.then((open) => open.listen(channels, hear))
      return { close: async () => (await listening).close() }
    },
    close: async () => (await opening).close(),
  }
}
