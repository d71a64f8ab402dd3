import { type Database, openDatabase } from '../src/kernel/db/index.ts'
import { emptyAgain, type Survey, survey } from './database-reset.ts'
import { type Contents, migratedSnapshot } from './database-snapshot.ts'
import { type FreshDatabase, LIMITS } from './fresh-database.ts'

/** An engine of this process, and what its database looked like before the first test had it. */
type Lent = { readonly database: Database; readonly untouched: Survey }

const idle = new Map<string, Lent[]>()
const mostIdle = 2

/** Starting an engine takes ten times as long as emptying a used one, so they are lent and come back. */
export async function borrowEmbedded(contents: Contents): Promise<FreshDatabase> {
  const { key } = contents
  const lent = (await reuse(key)) ?? (await openNew(contents))
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await giveBack(key, lent)
  }
  return { database: untilClosed(lent.database, () => isOpen, close), close }
}

async function reuse(key: string): Promise<Lent | undefined> {
  const lent = idle.get(key)?.pop()
  if (lent === undefined) return undefined
  if (await emptyAgain(lent.database, lent.untouched).catch(() => false)) return lent
  // A test changed the schema, or broke the engine: such a database is nobody's.
  await lent.database.close()
  return reuse(key)
}

async function giveBack(key: string, lent: Lent): Promise<void> {
  const others = idle.get(key) ?? []
  idle.set(key, others)
  if (others.length < mostIdle) others.push(lent)
  else await lent.database.close()
}

async function openNew(contents: Contents): Promise<Lent> {
  const snapshot = await migratedSnapshot(contents)
  const database = await openDatabase({
    at: { memory: true, snapshot },
    ...LIMITS,
    warn: (message, details) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  })
  return { database, untouched: await survey(database) }
}

/** Lets go of the engine with the test: what is still running afterwards must not write into the next test's database. */
function untilClosed(database: Database, isOpen: () => boolean, close: () => Promise<void>): Database {
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!isOpen()) throw new Error('The test closed this database already: wait for what it started before closing.')
    return work()
  }
  return {
    engine: database.engine,
    rows: (statement, ...values) => guarded(() => database.rows(statement, ...values)),
    one: (statement, ...values) => guarded(() => database.one(statement, ...values)),
    run: (statement, ...values) => guarded(() => database.run(statement, ...values)),
    inLine: (line, statement, ...values) => guarded(() => database.inLine(line, statement, ...values)),
    script: (text) => guarded(() => database.script(text)),
    transaction: (work, options) => guarded(() => database.transaction(work, options)),
    listen: database.listen,
    close,
  }
}
