import { systemClock } from '../foundation/clock/index.ts'
import { type Database, migrate, readMigrations, schemaState } from '../foundation/db/index.ts'
import type { Settings } from '../settings/index.ts'
import { developmentScreen } from './screen.ts'
import { databaseOf, exitWith, keyringOf, MIGRATIONS, type StartUp, settingsOrExit } from './start-up.ts'
import { stopOnSignal } from './stop.ts'

export async function serve(): Promise<void> {
  const startUp = settingsOrExit()
  const { settings, log } = startUp
  // The database opens in its own thread while this one loads the rest of the service.
  const opening = databaseOf(startUp)
  const [database, { openApp }, { checkSentinel }] = await Promise.all([
    opening,
    import('../app.ts'),
    import('../ground/tenants/index.ts'),
  ]).catch(exitWith)
  await requireSchema(database, settings).catch(exitWith)
  const keyring = keyringOf(settings)
  const app = openApp({ settings, db: database, log, clock: systemClock, keyring })
  await Promise.all([checkSentinel(app.house), app.ready()])
  app.startWork()
  const { port } = await listen(app.server, startUp)
  stopOnSignal(app, database, startUp)
  announce(startUp, port)
}

/** Migrations are a step of their own, but for the embedded database of Development, which has nobody to run them. */
async function requireSchema(database: Database, settings: Settings): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS)
  if (database.engine === 'embedded' && settings.environment === 'Development') await migrate(database, migrations)
  const state = await schemaState(database, migrations)
  if (state.kind === 'current') return
  await database.close()
  throw new Error(state.message)
}

type Server = ReturnType<typeof import('../app.ts')['openApp']>['server']

async function listen(server: Server, { settings }: StartUp): Promise<{ port: number }> {
  const { host, port } = settings.http
  try {
    await server.listen({ host, port })
  } catch (error) {
    const inUse = (error as { code?: string }).code === 'EADDRINUSE'
    exitWith(
      inUse ? `Port ${port} is taken on ${host}. Stop what uses it, or choose another with PORT=${port + 1}.` : error,
    )
  }
  const address = server.server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : port }
}

function announce({ settings, sources, log }: StartUp, port: number): void {
  if (settings.environment === 'Development') process.stdout.write(developmentScreen({ settings, sources, port }))
  else log.info({ port, url: settings.http.publicUrl }, 'Tether is ready.')
}
