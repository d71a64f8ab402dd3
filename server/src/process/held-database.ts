// What is asked of a database before anything is served from it.
import { type Database, type Migrations, migrate, schemaState, serverAdvice } from '../kernel/db/index.ts'
import type { Settings } from '../kernel/settings/index.ts'
import type { StartUp } from './start-up.ts'

export async function advise(db: Database, { settings, log }: StartUp): Promise<void> {
  if (db.engine === 'embedded' || settings.environment !== 'Production') return
  const pooled = settings.database.listenUrl !== undefined
  for (const advice of await serverAdvice(db, { pooled })) log.warn({}, advice)
}

/**
 * Throws unless the schema is that of this build. Migrations are a separate step, except on the embedded database of
 * Development, which has nobody to run them.
 */
export async function requireSchema(database: Database, migrations: Migrations, settings: Settings): Promise<void> {
  const state = await schemaState(database, migrations)
  if (state.kind === 'current') return
  const isMigratable = state.kind === 'behind' || state.kind === 'replaced'
  if (isMigratable && database.engine === 'embedded' && settings.environment === 'Development') {
    await migrate(database, migrations)
    return
  }
  await database.close()
  throw new Error(state.message)
}
