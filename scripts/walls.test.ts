import assert from 'node:assert/strict'
import test from 'node:test'
import { announced } from '../server/src/tenancy/outbox/index.ts'
import { announceFaults, noticeFaults, roomFaults, statementFaults, tenantFaults } from './walls.ts'

const tables = new Set(['keys'])
const unbound = { name: 'access.count', room: 'tenancy/access', text: 'select hash from keys', names: [] }
const look = { ...unbound, name: 'access.list_old', looks: 'a sweep' }
const batch = { ...unbound, name: 'access.touch', text: 'update keys set used = true', batches: 'many at once' }
const faultsOf = (...declared: Parameters<typeof tenantFaults>[0]) => tenantFaults(declared, tables)

test('what the server declares is in order', async () => {
  assert.deepEqual(await statementFaults(), [])
})

test('a statement that names no tenant is refused by its name, unless it declares why', () => {
  assert.deepEqual(faultsOf(look, batch), [])
  const [fault, ...more] = faultsOf(look, batch, unbound)
  assert.deepEqual(more, [])
  assert.match(fault ?? '', /SQL "access\.count": keys is not bound to the tenant/)
})

test('a look that locks or changes something is refused, and so is a batch that only looks', () => {
  assert.match(faultsOf({ ...look, text: 'select hash from keys for update' })[0] ?? '', /"access\.list_old": it looks/)
  assert.match(faultsOf({ ...look, text: 'delete from keys' })[0] ?? '', /"access\.list_old": it looks/)
  assert.match(faultsOf({ ...batch, text: 'select hash from keys' })[0] ?? '', /"access\.touch": it only looks/)
})

test('a statement that spans tenants is refused where its tables are not joined by the tenant', () => {
  const text = 'select k.hash from keys k join keys other on other.used'
  assert.match(faultsOf({ ...look, text })[0] ?? '', /"access\.list_old": keys \(as k\) is not joined/)
})

test('a statement of one tenant that declares that it spans tenants is refused', () => {
  const bound = { ...look, text: 'select hash from keys where tenant_id = $1', names: ['tenantId'] }
  assert.match(faultsOf(bound)[0] ?? '', /"access\.list_old": it spans no tenants/)
})

test('a statement bears the name of its room', () => {
  assert.deepEqual(roomFaults(look), [])
  assert.match(roomFaults({ ...look, room: 'tenancy/mail' })[0] ?? '', /begin its name with "mail\."/)
})

test('an event that is written without its line is refused, wherever the insert stands', () => {
  const chat = { name: 'chat.hand_over', room: 'talk/chat', names: [] }
  const text = announced('changed', { event: `'conversation.handoff'`, eventId: '$1', sessionId: 'session_id' })
  assert.deepEqual(announceFaults({ ...chat, text }), [])
  const own = `with made as (insert into outbox (tenant_id, event_id, event, session_id, fields) values (1, 'a', 'b', 'c', '{}')) select 1`
  assert.match(announceFaults({ ...chat, text: own })[0] ?? '', /announce with announced\(\)/)
})

test('a change that notifies is refused, except from the bells', () => {
  const text = `with made as (insert into mails (tenant_id) values (1) returning 1) select pg_notify('mail', '') from made`
  assert.equal(noticeFaults({ name: 'mail.insert', room: 'tenancy/mail', text }).length, 1)
  assert.deepEqual(noticeFaults({ name: 'jobs.ring', room: 'tenancy/jobs', text: `select pg_notify('mail', '')` }), [])
})
