// How rows go from one database into another: the same, and never more of them together than memory holds.
import assert from 'node:assert/strict'
import test from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { unlisted } from '../../foundation/db/index.ts'
import { COPIED } from './checks.ts'
import { readShapes } from './queries.ts'
import { copyTable, tableSql, type WriteRange } from './table-copy.ts'

const sum = unlisted<{ count: number; hash: string }, { tenantId: number }>(
  'test.sum_catalogs',
  `select count(*)::int as count, md5(string_agg(md5(t::text), '' order by version)) as hash from catalogs t where tenant_id = $tenantId::int`,
)

const LETTERS = 400_000

async function sides(t: { after(work: () => Promise<void>): void }) {
  const [from, to]: [FreshDatabase, FreshDatabase] = [await freshDatabase(), await freshDatabase()]
  t.after(async () => {
    await from.close()
    await to.close()
  })
  const pages: number[] = []
  const write: WriteRange = (work) =>
    to.database.transaction(async (tx) => {
      const run: typeof tx.run = async (asked, ...values) => {
        const { rows } = (values[0] ?? {}) as { rows?: readonly string[] }
        if (rows !== undefined) pages.push(rows.reduce((all, row) => all + row.length, 0))
        return await tx.run(asked, ...values)
      }
      await work({ ...tx, run })
    })
  return { from: from.database, to: to.database, write, pages }
}

test('wide rows are written a few at a time', async (t) => {
  const { from, to, write, pages } = await sides(t)
  await from.script(`insert into tenants (tenant_id, name) values (7, 'Shop');
    insert into catalogs (tenant_id, version, tools, tool_count, write_tool_count)
    select 7, n, repeat('"', ${LETTERS / 2}), 1, 1 from generate_series(1, 9) n`)
  const shapes = await from.rows(readShapes, { names: COPIED })
  const catalogs = shapes.find(({ name }) => name === 'catalogs') ?? assert.fail()
  const copied = await copyTable({ from, to, write }, tableSql(catalogs), 7)
  assert.equal(copied.rows, 9)
  assert.deepEqual(await to.one(sum, { tenantId: 7 }), await from.one(sum, { tenantId: 7 }))
  assert.ok(Math.max(...pages) <= 1_000_000, `${Math.max(...pages)} letters together`)
  assert.equal((await copyTable({ from, to, write }, tableSql(catalogs), 7)).written, 0)
})

test('a wide row that is the only one of its tenant is copied', async (t) => {
  const { from, to, write, pages } = await sides(t)
  await from.script(`insert into tenants (tenant_id, name) values (7, 'Shop');
    insert into shadow_policies (tenant_id, version, rules) values (7, 1, repeat('r', 1200000))`)
  const shapes = await from.rows(readShapes, { names: COPIED })
  const alone = shapes.find(({ name }) => name === 'shadow_policies') ?? assert.fail()
  const copy = () => copyTable({ from, to, write }, tableSql(alone), 7)
  assert.deepEqual([(await copy()).written, (await copy()).written, pages.length], [1, 0, 1])
})
