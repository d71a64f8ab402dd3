import { lacksPrivilege, migrate, readMigrations, someOf } from '../foundation/db/index.ts'
import { enrol, requireAllNamed } from '../ground/shards/index.ts'
import { databaseOf, exitWith, MIGRATIONS, settingsOrExit, shardNames, shardsOf } from './start-up.ts'

const NOT_OWNER =
  '. Migrations take the role that owns the tables: set DATABASE_URL to it for this command alone (docs/operations.md#roles).'

/** Of several databases each in turn. They are those of one deployment from then on. */
export async function migrateDatabase(): Promise<void> {
  const startUp = settingsOrExit()
  const migrations = await readMigrations(MIGRATIONS)
  const [first, ...further] = shardsOf(startUp.settings)
  const isAlone = further.length === 0
  const open = async ({ name, settings }: typeof first) => {
    const where = isAlone ? '' : `${name}: `
    const exit = (error: unknown) => {
      const said = error instanceof Error ? error.message : String(error)
      exitWith(`${where}${said}${lacksPrivilege(error) ? NOT_OWNER : ''}`)
    }
    const db = await databaseOf({ ...startUp, settings, ...(isAlone ? {} : { shard: name }) }).catch(exit)
    const applied = await migrate(db, migrations).catch(exit)
    const words = applied.length === 0 ? 'The schema is current.' : `Applied ${someOf(applied)}.`
    process.stdout.write(`${where}${words}\n`)
    if (isAlone) await requireAllNamed(db, shardNames(settings)).catch(exit)
    return { name, db }
  }
  const opened = [await open(first)] as const
  const others: (typeof opened)[0][] = []
  for (const one of further) others.push(await open(one))
  if (!isAlone) await enrol([...opened, ...others]).catch(exitWith)
  for (const { db } of [...opened, ...others]) await db.close()
}
