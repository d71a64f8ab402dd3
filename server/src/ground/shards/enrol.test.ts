import assert from 'node:assert/strict'
import test from 'node:test'
import { freshDatabase } from '../../../testkit/database.ts'
import { unlisted } from '../../foundation/db/index.ts'
import { enrol, requireAllNamed, requirePlaces } from './index.ts'

const takeId = unlisted<{ id: number }>('test.take_id', `select nextval('tenant_ids')::int as id`)
const insertTenant = unlisted<unknown, { tenantId: number }>(
  'test.insert_tenant',
  `insert into tenants (tenant_id, name, plan, self_serve) values ($tenantId::int, 'X', 'free', false)`,
)
const dropTenant = unlisted<unknown, { tenantId: number }>(
  'test.drop_tenant',
  'delete from tenants where tenant_id = $tenantId::int',
)

test('a database keeps its name and its deployment, and two that hold one id are no deployment', async () => {
  const [one, other] = [await freshDatabase(), await freshDatabase()]
  const [first, second] = [
    { name: 'first', db: one.database },
    { name: 'second', db: other.database },
  ] as const
  await assert.rejects(requirePlaces(second, null), /has not been made one of several/)
  await assert.rejects(
    enrol([first, { name: 'second', db: one.database }]),
    /"first" and "second" are the same database/,
  )
  await one.database.run(insertTenant, { tenantId: 7 })
  await other.database.run(insertTenant, { tenantId: 7 })
  await assert.rejects(enrol([first, second]), /so these two cannot be one deployment/)
  for (const { db } of [first, second]) await db.run(dropTenant, { tenantId: 7 })
  await enrol([first, second])
  await enrol([first, second])
  const deployment = await requirePlaces(first, null)
  assert.equal(await requirePlaces(second, deployment), deployment)
  await assert.rejects(requirePlaces({ name: 'third', db: other.database }, deployment), /call "third" is "second"/)
  await assert.rejects(
    enrol([second, first].map(({ db }, at) => ({ name: at === 0 ? 'first' : 'second', db })) as never),
  )
  for (const { db } of [first, second]) {
    await requireAllNamed(db, ['first', 'second', 'third'])
    await assert.rejects(requireAllNamed(db, ['first']), /of several. Missing: second. .*Database:Shards/)
    await assert.rejects(enrol([{ name: 'first', db }]), /of several|is "second"/)
  }
  const [foreign, beside] = [await freshDatabase(), await freshDatabase()]
  await enrol([
    { name: 'first', db: foreign.database },
    { name: 'second', db: beside.database },
  ])
  await assert.rejects(enrol([first, { name: 'second', db: beside.database }]), /belongs to another deployment/)
  await assert.rejects(
    requirePlaces({ name: 'first', db: foreign.database }, deployment),
    /belongs to another deployment/,
  )
  // Started on it alone, the service would otherwise give an id that the first gives, too.
  await assert.rejects(other.database.run(takeId), /reached maximum value/)
  await one.database.run(insertTenant, { tenantId: 77 })
  await other.database.run(insertTenant, { tenantId: 77 })
  await assert.rejects(
    enrol([first, second]),
    /Tenant 77 is in the database "first" and in "second"\. .*restored.*--tenant 77 --drop-from NAME/,
  )
  await other.database.run(dropTenant, { tenantId: 77 })
  await other.database.run(insertTenant, { tenantId: 400 })
  await enrol([first, second])
  assert.equal((await one.database.one(takeId))?.id, 401)
  for (const made of [one, other, foreign, beside]) await made.close()
})
