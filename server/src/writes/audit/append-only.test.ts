import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { divide, isDivided } from '../../../testkit/divided.ts'
import { isCheckViolation, sqlState, statement, type Transaction, unlisted } from '../../kernel/db/index.ts'
import { appendEvent, eventFields, tamper } from './fixtures/trail.ts'
import { listEvents } from './index.ts'

let fresh: FreshDatabase
before(async () => {
  fresh = await freshDatabase()
})
after(() => fresh.close())

const refused = (error: unknown): boolean => sqlState(error) === '42501'
const idsOf = async (tenantId: number): Promise<number[]> => {
  const { events } = await listEvents({ db: fresh.database }, tenantId, {}, { after: 0, limit: 1000 })
  return events.map(({ id }) => id)
}
const fill = async (tenantId: number, count = 3): Promise<void> => {
  for (let n = 0; n < count; n++) await appendEvent(fresh.database, tenantId, eventFields())
}

const announce = (tx: Transaction, tenantId: number) => tx.script(`set local tether.erasing_tenant = '${tenantId}'`)
const eraseEvents = statement<unknown, { tenantId: number }>(
  'test.erase_audit',
  'delete from audit_events where tenant_id = $tenantId::int',
)
const eraseHead = statement<unknown, { tenantId: number }>(
  'test.erase_audit_head',
  'delete from audit_heads where tenant_id = $tenantId::int',
)

test('the database refuses to change, delete or empty the trail', async () => {
  await fill(1)
  const { database } = fresh
  const commands = [
    "update audit_events set reason = 'another' where tenant_id = 1 and id = 2",
    'update audit_events set user_id = user_id',
    'delete from audit_events where tenant_id = 1 and id = 3',
    'delete from audit_events',
    'truncate audit_events',
    'truncate audit_events, audit_heads cascade',
    "insert into audit_events (tenant_id, id, event, source) values (1, 4, 'executed', 'x') on conflict (tenant_id, id) do update set reason = 'y'; update audit_events set id = 9 where id = 1",
  ]
  for (const command of commands) await assert.rejects(database.script(command), refused, command)
  assert.deepEqual(await idsOf(1), [1, 2, 3], 'and nothing of a refused command stays')
})

test('whoever writes an event chooses neither its id nor its time nor its hash', async () => {
  const forge = `insert into audit_events (tenant_id, id, occurred_at, event, source, hash)
                 values (2, 77, '2001-01-01', 'executed', 'x', repeat('0', 64))`
  await fresh.database.script(forge)
  const { events } = await listEvents({ db: fresh.database }, 2, {}, { after: 0, limit: 10 })
  assert.deepEqual(
    events.map(({ id }) => id),
    [1],
  )
  assert.ok(Math.abs(Number(events[0]?.occurredAt) - Date.now()) < 60_000)
})

test('the head moves with an event and in no other way', async () => {
  await fill(5)
  const commands = [
    'update audit_heads set last_id = 0 where tenant_id = 5',
    'delete from audit_heads where tenant_id = 5',
    "insert into audit_heads (tenant_id, last_id, last_at, last_hash) values (6, 9, now(), 'x')",
    'truncate audit_heads',
  ]
  for (const command of commands) await assert.rejects(fresh.database.script(command), refused, command)
  await fill(5, 1)
  assert.deepEqual(await idsOf(5), [1, 2, 3, 4])
})

const rights = statement<{ right: string }>(
  'test.audit_rights',
  `select privilege_type as right from information_schema.table_privileges
    where table_name = 'audit_events' and grantee in (current_user, 'PUBLIC') order by 1`,
)

test('nobody has the right to change the trail', async () => {
  const held = (await fresh.database.rows(rights)).map(({ right }) => right)
  assert.ok(held.includes('INSERT') && held.includes('DELETE'), 'the erasure of a tenant needs it')
  assert.ok(!held.includes('UPDATE') && !held.includes('TRUNCATE'), held.join())
})

test('what is no event of the trail is not taken', async () => {
  await assert.rejects(appendEvent(fresh.database, 7, eventFields({ event: 'aproved' })), isCheckViolation)
  assert.deepEqual(await idsOf(7), [])
})

test('times never go back, whoever sets the clock', async () => {
  await fill(8, 1)
  const future = new Date(Date.now() + 60_000).toISOString()
  await tamper(fresh.database, `update audit_heads set last_at = '${future}' where tenant_id = 8`)
  await fill(8, 2)
  const { events } = await listEvents({ db: fresh.database }, 8, {}, { after: 0, limit: 10 })
  assert.deepEqual(
    events.slice(1).map(({ occurredAt }) => occurredAt.toISOString()),
    [future, future],
  )
  const found = await listEvents({ db: fresh.database }, 8, { from: future }, { after: 0, limit: 10 })
  assert.deepEqual(
    found.events.map(({ id }) => id),
    [2, 3],
  )
})

test('the erasure of a tenant takes that tenant’s trail, in its own transaction, and no other', async () => {
  await fill(3)
  await fill(4)
  const { database } = fresh
  const erase = async (tx: Transaction, tenantId: number) => {
    await tx.run(eraseEvents, { tenantId })
    await tx.run(eraseHead, { tenantId })
  }
  const other = database.transaction(async (tx) => {
    await announce(tx, 3)
    await erase(tx, 4)
  })
  await assert.rejects(other, refused)
  const update = database.transaction(async (tx) => {
    await announce(tx, 3)
    await tx.script("update audit_events set reason = 'x' where tenant_id = 3")
  })
  await assert.rejects(update, refused, 'an erasure deletes, and changes nothing')
  await database.transaction(async (tx) => {
    await announce(tx, 3)
    await erase(tx, 3)
  })
  assert.deepEqual([await idsOf(3), await idsOf(4)], [[], [1, 2, 3]])
  await fill(3, 1)
  assert.deepEqual(await idsOf(3), [1])
  await assert.rejects(database.run(eraseEvents, { tenantId: 3 }), refused, 'the permission ended with its transaction')
})

test('of a divided trail a part that is named itself refuses as the whole does, until its tenant is gone', async () => {
  const { database, close } = await freshDatabase()
  if (!isDivided()) await divide(database, 2)
  await database.script('insert into tenants (tenant_id) values (71)')
  for (let n = 0; n < 2; n++) await appendEvent(database, 71, eventFields())
  const parts = await database.rows(partsOf)
  assert.ok(parts.length >= 2)
  const each = parts.map(({ part }) => `delete from ${part} where tenant_id = 71;`).join(' ')
  const erase = (what: string) => `select set_config('tether.erasing_tenant', '71', false); ${what}`
  for (const what of [each, 'delete from audit_events where tenant_id = 71'])
    await assert.rejects(database.script(erase(what)), refused, what)
  await database.script(`update tenants set deleted_at = now() where tenant_id = 71; ${erase(each)}`)
  const { events } = await listEvents({ db: database }, 71, {}, { after: 0, limit: 10 })
  assert.deepEqual(events, [])
  await close()
})

const partsOf = unlisted<{ part: string }>(
  'test.parts_of_trail',
  `select inhrelid::regclass::text as part from pg_inherits where inhparent = 'audit_events'::regclass`,
)
