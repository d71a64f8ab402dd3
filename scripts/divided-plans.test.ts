// Where the tables of tenants are divided, a statement about one tenant goes to one part of each of them. Those that are about many
// stand in `walls.ts` with their reasons.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allStatements, type Statement, type Transaction, unlisted } from '../server/src/kernel/db/index.ts'
import { freshDatabase } from '../server/testkit/database.ts'
import { divide, partitionsAsked } from '../server/testkit/divided.ts'
import { findFiles } from './files.ts'
import { prepareAsked, sampleOf } from './sample-values.ts'

const queries = findFiles('server/src/**/*queries.ts')

const parts = unlisted<{ name: string }>(
  'divided_test.parts',
  `select relname::text as name from pg_class where relispartition and relkind = 'r' and relnamespace = current_schema()::regnamespace
      and relname ~ '_p[0-9]+$'`,
)

type Plan = { readonly [member: string]: unknown }

/** The tables of a plan that are parts, with where they are read or written. */
function partsIn(plan: unknown, known: ReadonlySet<string>): string[] {
  if (Array.isArray(plan)) return plan.flatMap((one) => partsIn(one, known))
  if (typeof plan !== 'object' || plan === null) return []
  const { 'Relation Name': name, ...rest } = plan as Plan
  const here = typeof name === 'string' && known.has(name) ? [name] : []
  return [...here, ...Object.values(rest).flatMap((one) => partsIn(one, known))]
}

async function planOf(tx: Transaction, { name, text }: Statement<unknown, never>): Promise<unknown> {
  const types = await prepareAsked(tx, text)
  const values = types.length === 0 ? '' : `(${types.map((type) => `'${sampleOf(type)}'`).join()})`
  const explained = await tx.one(unlisted<Plan>(`explain ${name}`, `explain (format json) execute asked${values}`))
  await tx.script('deallocate asked')
  return explained?.['QUERY PLAN']
}

const ENGINE = process.env.TEST_DATABASE_URL ?? ''
// The embedded engine takes ten times as long to make so many tables.
const options = ENGINE === '' ? { skip: 'There is no PostgreSQL server: npm run test:server has one.' } : {}

test('a statement about one tenant plans one part of each table', options, async (t) => {
  for (const file of queries) await import(`../${file}`)
  const { database, close } = await freshDatabase()
  t.after(close)
  if (partitionsAsked() === undefined) await divide(database, 4)
  const known = new Set((await database.rows(parts)).map(({ name }) => name))
  const several: string[] = []
  let planned = 0
  await database.transaction(async (tx) => {
    await tx.script('set local plan_cache_mode = force_custom_plan')
    // One tenant is in the part of the same number of every table.
    const numbersOf = async (one: Statement<unknown, never>) =>
      new Set(partsIn(await planOf(tx, one), known).map((part) => part.replace(/^.*_p/, ''))).size
    for (const one of allStatements()) {
      if (one.name === 'access.find_credentials') assert.ok((await numbersOf(one)) > 1, 'a look goes to all of them')
      if (!one.names.includes('tenantId') || one.looks !== undefined || one.batches !== undefined) continue
      planned++
      if ((await numbersOf(one)) > 1) several.push(one.name)
    }
  })
  assert.ok(planned > 250, `${planned} statements were planned`)
  assert.deepEqual(several, [])
})
