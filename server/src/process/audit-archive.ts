// `npm run audit:archive -- FOLDER`: takes finished months of every trail out of the database, into files.
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { complain, numberOf, say, Unusable } from '../kernel/command/index.ts'
import { type Database, readMigrations } from '../kernel/db/index.ts'
import { type Archiving, archiveTrails, foldersOfDeleted, mayArchive } from '../writes/audit/index.ts'
import { requireSchema } from './held-database.ts'
import { databaseOf, exitWith, MIGRATIONS, settingsOrExit } from './start-up.ts'

const USAGE = `Takes finished months of the audit trail out of the database, into files that npm run audit:verify reads.

  npm run audit:archive -- FOLDER [--keep-months N] [--tenant ID]

FOLDER         an existing folder, the same in each run; FOLDER/<tenant>/<month>.<first>-<last>.jsonl
--keep-months  how many finished months stay in the database besides the current one (12 if omitted, at least 1)
--tenant       only this workspace

Run it with the role that owns the tables, as npm run migrate. It may be stopped at any time, and run again.
Exit code: 0 all is archived, 1 something is not (said above), 2 it could not begin.`

const NOT_OWNER =
  'This role may not take anything out of the trail. Run it with the role that owns the tables: set DATABASE_URL as for npm run migrate.'

function asked(args: readonly string[]): Archiving | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'keep-months': { type: 'string', default: '12' },
      tenant: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const [folder, ...more] = positionals
  if (values.help || folder === undefined || more.length > 0) return undefined
  const keepMonths = numberOf('--keep-months', values['keep-months'], 1200)
  return { folder, keepMonths, only: values.tenant === undefined ? undefined : numberOf('--tenant', values.tenant) }
}

async function run(db: Database, archiving: Archiving): Promise<number> {
  if (!(await mayArchive({ db }))) throw new Unusable(NOT_OWNER)
  let [months, events, failed] = [0, 0, 0]
  for await (const month of archiveTrails({ db }, archiving)) {
    if (month.kind === 'failed') {
      failed++
      complain(`Workspace ${month.tenantId}: ${month.why}`)
    } else if (month.kind === 'finished') say(`${month.file}: what an earlier run had left in the table is taken out.`)
    else {
      months++
      events += month.events
      say(`${month.file}: ${month.events} ${month.events === 1 ? 'event' : 'events'}`)
    }
  }
  for (const folder of await foldersOfDeleted({ db }, archiving.folder))
    complain(`${folder} is of a workspace that has been deleted. Delete the folder, and its copies.`)
  say(months === 0 ? 'There is nothing more to archive.' : `Events archived: ${events}. New files: ${months}.`)
  return failed === 0 ? 0 : 1
}

export async function archiveAudit(args: readonly string[]): Promise<void> {
  const archiving = await usable(args).catch((error: Error) => {
    complain(error.message)
    process.exitCode = 2
  })
  if (archiving === undefined) return
  const startUp = settingsOrExit()
  const db = await databaseOf(startUp).catch(exitWith)
  await requireSchema(db, await readMigrations(MIGRATIONS).catch(exitWith), startUp.settings).catch(exitWith)
  process.exitCode = await run(db, archiving).catch((error: Error) => {
    complain(error.message)
    return error instanceof Unusable ? 2 : 1
  })
  await db.close()
}

async function usable(args: readonly string[]): Promise<Archiving | undefined> {
  const archiving = asked(args)
  if (archiving === undefined) throw new Unusable(USAGE)
  const isFolder = await stat(archiving.folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  // A folder that is not mounted would otherwise be made beside its place.
  if (!isFolder) throw new Unusable(`There is no folder ${archiving.folder}. Make it, or mount it, first.`)
  return archiving
}
