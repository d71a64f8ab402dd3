import { adoptSquash, lacksPrivilege, migrate, readMigrations, someOf } from '../kernel/db/index.ts'
import { databaseOf, exitWith, MIGRATIONS, settingsOrExit } from './start-up.ts'

const NOT_OWNER =
  '. Migrations take the role that owns the tables: set DATABASE_URL to it for this command alone (docs/operations.md#roles).'

export async function migrateDatabase(): Promise<void> {
  const startUp = settingsOrExit()
  const migrations = await readMigrations(MIGRATIONS)
  const exit = (error: unknown) => {
    const said = error instanceof Error ? error.message : String(error)
    exitWith(`${said}${lacksPrivilege(error) ? NOT_OWNER : ''}`)
  }
  const db = await databaseOf(startUp).catch(exit)
  if (await adoptSquash(db, migrations).catch(exit))
    process.stdout.write('Replaced the records of the old migrations. They are kept in schema_migrations_before.\n')
  const applied = await migrate(db, migrations).catch(exit)
  process.stdout.write(applied.length === 0 ? 'The schema is current.\n' : `Applied ${someOf(applied)}.\n`)
  await db.close()
}
