// Citus runs every statement of the service. `npm run test:citus citus-statements` tries each of them, and the list below is what it
// refuses: the test fails when the two differ.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allStatements, type Database, type Statement, type Transaction } from '../server/src/kernel/db/index.ts'
import { citusWorkers } from '../server/testkit/citus.ts'
import { freshDatabase } from '../server/testkit/database.ts'
import { findFiles } from './files.ts'
import { prepareAsked, sampleOf } from './sample-values.ts'

/** What Citus refuses, with the reason why the service does not need it there. */
const REFUSED: Readonly<Record<string, string>> = {
  'events.walk_tenants': 'it is used only where the tables are whole: elsewhere events.list_tenants is',
}

/** How PostgreSQL rejects a made-up value: data exceptions, constraints, which Citus may pass on without their code, and our triggers. */
const OF_THE_VALUES = /^(?:22|23|42501|P0001)|violates check constraint/

const queries = findFiles('server/src/**/*queries.ts')

/** The number of every sample. Citus refuses most of what it refuses only where a tenant has rows. */
const TENANT = 1

type Tried = { readonly name: string; readonly fault: string | undefined; readonly ofTheValues: boolean }

async function tryOut(database: Database, one: Statement<unknown, never>): Promise<Tried> {
  const { name, text, names } = one
  try {
    await database.transaction(async (tx) => {
      const types = await prepareAsked(tx, text)
      await tx.script('deallocate asked')
      await run(tx, one, Object.fromEntries(names.map((value, at) => [value, sampleOf(types[at] ?? '')])))
      throw new RolledBack()
    })
  } catch (error) {
    if (error instanceof RolledBack) return { name, fault: undefined, ofTheValues: false }
    const { code = '', message } = error as Error & { readonly code?: string }
    const fault = `${code} ${message}`
    return { name, fault, ofTheValues: OF_THE_VALUES.test(fault) }
  }
  throw new Error(`${name} was neither run nor refused.`)
}

class RolledBack extends Error {}

const run = (tx: Transaction, { name, text, names }: Statement<unknown, never>, values: Record<string, unknown>) =>
  tx.rows({ name, text, names } as Statement<unknown, Record<string, unknown>>, values)

const skip = citusWorkers().length === 0 ? 'There is no Citus: npm run test:citus has one.' : false

test('Citus accepts every statement but the listed ones', { skip }, async (t) => {
  for (const file of queries) await import(`../${file}`)
  const { database, close } = await freshDatabase()
  t.after(close)
  await database.script(`insert into tenants (tenant_id, name) values (${TENANT}, 'Corner Shop')`)
  const tried: Tried[] = []
  for (const one of allStatements()) tried.push(await tryOut(database, one))
  const refused = tried.filter(({ fault, ofTheValues }) => fault !== undefined && !ofTheValues)
  const stopped = tried.filter(({ ofTheValues }) => ofTheValues)
  t.diagnostic(`${tried.length} statements: ${refused.length} refused, ${stopped.length} stopped at a made-up value`)
  assert.ok(tried.length > 400 && stopped.length < tried.length / 10, `${stopped.length} stopped at a made-up value`)
  assert.deepEqual(
    refused.map(({ name }) => name).sort(),
    Object.keys(REFUSED).sort(),
    refused.map(({ name, fault }) => `${name}: ${fault}`).join('\n'),
  )
})
