import { migrate, readMigrations } from '../foundation/db/index.ts'
import { databaseOf, exitWith, MIGRATIONS, settingsOrExit } from './start-up.ts'

export async function migrateDatabase(): Promise<void> {
  const startUp = settingsOrExit()
  const database = await databaseOf(startUp).catch(exitWith)
  const applied = await migrate(database, await readMigrations(MIGRATIONS)).catch(exitWith)
  process.stdout.write(applied.length === 0 ? 'The schema is current.\n' : `Applied: ${applied.join(', ')}.\n`)
  await database.close()
}
