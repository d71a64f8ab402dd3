// `npm run move-tenant -- --tenant N --to NAME`: takes one tenant from one database of `Database:Shards` to another, while it is served.
import { parseArgs } from 'node:util'
import { type Database, readMigrations } from '../foundation/db/index.ts'
import { cancelMove, type Move, MoveStopped, moveTenant } from '../ground/moves/index.ts'
import { type NamedDatabase, requirePlaces } from '../ground/shards/index.ts'
import { requireSchema } from './held-database.ts'
import { databaseOf, exitWith, keyringOf, MIGRATIONS, type StartUp, settingsOrExit, shardsOf } from './start-up.ts'

const USAGE = `Takes one tenant from one of several databases to another, while it is served.

  npm run move-tenant -- --tenant ID --to NAME [--pause SECONDS] [--wait SECONDS]
  npm run move-tenant -- --tenant ID --cancel

--to      the database that it goes to: "first", or a name of Database:Shards
--pause   the longest time in which nothing of it may be read or written (5 if omitted). Others notice nothing
--wait    how long to wait until no write of it executes (60 if omitted)
--cancel  takes back a move that was begun and has not happened: what was copied is deleted

Run it with the role that owns the tables, as npm run migrate. It may be stopped or killed at any time: run it again, and it goes on.
Exit code: 0 the tenant is there, 1 it is where it was (said above), 2 it could not begin.`

const complain = (line: string) => process.stderr.write(`${line}\n`)
const say = (line: string) => process.stdout.write(`${line}\n`)

class Unusable extends Error {}

type Asked = { readonly tenantId: number; readonly to: string | null; readonly limits: Move['limits'] }

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
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  if ((values.to === undefined) !== values.cancel) throw new Unusable('Say where to (--to NAME), or --cancel.')
  const seconds = (name: 'pause' | 'wait') => numberOf(`--${name}`, values[name], 3_600) * 1_000
  return {
    tenantId: numberOf('--tenant', values.tenant),
    to: values.to ?? null,
    limits: { pauseMs: seconds('pause'), waitMs: seconds('wait') },
  }
}

function numberOf(name: string, text: string, most = 2 ** 31 - 1): number {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most) throw new Unusable(`${name} takes a whole number from 1 to ${most}, not "${text}".`)
  return number
}

export async function moveOneTenant(args: readonly string[]): Promise<void> {
  const asked = askedOrExit(args)
  const startUp = settingsOrExit(process.stderr)
  const shards = shardsOf(startUp.settings)
  if (shards.length === 1) {
    complain('There is one database. A tenant moves between those of Database:Shards.')
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

async function run(move: Omit<Move, 'to' | 'limits'>, { to, limits, tenantId }: Asked): Promise<number> {
  if (to === null) {
    const cancelled = await cancelMove(move)
    say(
      cancelled
        ? `Tenant ${tenantId} stays where it is. Its copy is deleted.`
        : `No move of tenant ${tenantId} is under way.`,
    )
    return 0
  }
  const moved = await moveTenant({ ...move, to, limits })
  if (moved === null) say(`Tenant ${tenantId} is in "${to}".`)
  else say(`Tenant ${tenantId} has moved from "${moved.from}" to "${moved.to}".`)
  return 0
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

function askedOrExit(args: readonly string[]): Asked {
  try {
    const asked = readAsked(args)
    if (asked !== undefined) return asked
    complain(USAGE)
    process.exit(0)
  } catch (error) {
    complain(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(2)
  }
}
