// `npm run move-tenant -- --tenant N --to NAME`: takes one tenant from one database of `Database:Shards` to another, while it is served.
import { parseArgs } from 'node:util'
import { type Database, readMigrations } from '../foundation/db/index.ts'
import { cancelMove, dropCopy, type Move, type Moved, MoveStopped, moveTenant } from '../ground/moves/index.ts'
import { type NamedDatabase, requirePlaces } from '../ground/shards/index.ts'
import { askedOrExit, complain, numberOf, say, Unusable } from './asked.ts'
import { requireSchema } from './held-database.ts'
import { databaseOf, exitWith, keyringOf, MIGRATIONS, type StartUp, settingsOrExit, shardsOf } from './start-up.ts'

const USAGE = `Takes one tenant from one of several databases to another, while it is served.

  npm run move-tenant -- --tenant ID --to NAME [--pause SECONDS] [--wait SECONDS]
  npm run move-tenant -- --tenant ID --cancel
  npm run move-tenant -- --tenant ID --drop-from NAME

--to      the database that it goes to: "first", or a name of Database:Shards
--pause   the longest time in which nothing of it may be read or written (5 if omitted). Others notice nothing
--wait    how long to wait until no write of it executes (60 if omitted)
--cancel  takes back a move that was begun and has not happened: what was copied is deleted
--drop-from  deletes the copy of a tenant that two databases hold, because this one was restored from an older backup

Run it with the role that owns the tables, as npm run migrate. It may be stopped or killed at any time: run it again, and it goes on.
Exit code: 0 the tenant is there, 1 it is not (said above), 2 it could not begin.`

type What = { readonly to: string } | { readonly dropFrom: string } | 'cancel'
type Asked = { readonly tenantId: number; readonly what: What; readonly limits: Move['limits'] }

/** Undefined where only the usage was asked for. */
function readAsked(args: readonly string[]): Asked | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenant: { type: 'string', default: '' },
      to: { type: 'string' },
      pause: { type: 'string', default: '5' },
      wait: { type: 'string', default: '60' },
      cancel: { type: 'boolean', default: false },
      'drop-from': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const seconds = (name: 'pause' | 'wait') => numberOf(`--${name}`, values[name], 3_600) * 1_000
  if (values.tenant === '') throw new Unusable('Say which tenant (--tenant ID), and where it goes (--to NAME).')
  return {
    tenantId: numberOf('--tenant', values.tenant),
    what: whatOf(values.to, values['drop-from'], values.cancel),
    limits: { pauseMs: seconds('pause'), waitMs: seconds('wait') },
  }
}

function whatOf(to: string | undefined, dropFrom: string | undefined, cancel: boolean): What {
  const given = [
    to === undefined ? [] : { to },
    dropFrom === undefined ? [] : { dropFrom },
    cancel ? ('cancel' as const) : [],
  ]
  const [what, ...more] = given.flat()
  if (what === undefined) throw new Unusable('Say where the tenant goes (--to NAME), or --cancel.')
  if (more.length > 0) throw new Unusable('Give one of --to, --cancel and --drop-from, and not several.')
  return what
}

export async function moveOneTenant(args: readonly string[]): Promise<void> {
  const asked = askedOrExit(USAGE, () => readAsked(args))
  const startUp = settingsOrExit(process.stderr)
  const shards = shardsOf(startUp.settings)
  if (shards.length === 1) {
    complain(
      'The settings of this process know one database. A tenant moves between several: run this with all the settings of ' +
        'the service, of which Database:Shards names the others.',
    )
    process.exit(2)
  }
  const [head, ...rest] = shards
  const databases: [NamedDatabase, ...NamedDatabase[]] = [await opened(startUp, head)]
  for (const one of rest) databases.push(await opened(startUp, one))
  await requireOneDeployment(databases).catch(exitWith)
  // What holds the right to move is a transaction, beside which nothing else can be asked.
  const guard = await databaseOf({ ...startUp, settings: withPool(head.settings, 1) }).catch(exitWith)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const move = {
    databases,
    guard,
    keyring: keyringOf(startUp.settings),
    tenantId: asked.tenantId,
    say,
    signal: stop.signal,
  }
  process.exitCode = await run(move, asked).catch((error: Error) => {
    complain(error.message)
    if (!(error instanceof MoveStopped))
      complain('Run this again: it finds out what an earlier run has done, and goes on.')
    return 1
  })
  await closeAll([guard, ...databases.map(({ db }) => db)])
}

async function run(move: Omit<Move, 'to' | 'limits'>, { what, limits, tenantId }: Asked): Promise<number> {
  if (what === 'cancel') {
    const cancelled = await cancelMove(move)
    say(
      cancelled
        ? `Tenant ${tenantId} stays where it is. Its copy is deleted.`
        : `No move of tenant ${tenantId} is under way.`,
    )
    return 0
  }
  if ('dropFrom' in what) {
    const left = await dropCopy(move, what.dropFrom)
    say(`The copy of tenant ${tenantId} in "${what.dropFrom}" is deleted. It is served from "${left}".`)
    return 0
  }
  const { to } = what
  const moved = await moveTenant({ ...move, to, limits })
  const { said, complaint } = endOf({ tenantId, to, moved })
  say(said)
  if (complaint === null) return 0
  complain(complaint)
  return 1
}

type End = { readonly tenantId: number; readonly to: string; readonly moved: Moved | null }

/** An earlier run that had switched is finished first. A script must not take that for the move that it asked for. */
export function endOf({ tenantId, to, moved }: End): { readonly said: string; readonly complaint: string | null } {
  if (moved === null) return { said: `Tenant ${tenantId} is in "${to}" already.`, complaint: null }
  const said = `Tenant ${tenantId} has moved from "${moved.from}" to "${moved.to}".`
  const complaint = moved.to === to ? null : `It is not in "${to}". Run this again to move it there.`
  return { said, complaint }
}

async function opened(startUp: StartUp, { name, settings }: ReturnType<typeof shardsOf>[0]): Promise<NamedDatabase> {
  const db = await databaseOf({ ...startUp, settings, shard: name }).catch(exitWith)
  const migrations = await readMigrations(MIGRATIONS).catch(exitWith)
  await requireSchema(db, migrations, settings).catch((error: Error) => exitWith(`${name}: ${error.message}`))
  return { name, db }
}

async function requireOneDeployment(databases: readonly NamedDatabase[]): Promise<void> {
  let deployment: string | null = null
  for (const one of databases) deployment = await requirePlaces(one, deployment)
}

const withPool = (settings: StartUp['settings'], poolSize: number): StartUp['settings'] => ({
  ...settings,
  database: { ...settings.database, poolSize },
})

async function closeAll(databases: readonly Database[]): Promise<void> {
  await Promise.all(databases.map((db) => db.close()))
}
