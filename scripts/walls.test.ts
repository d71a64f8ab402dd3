import assert from 'node:assert/strict'
import test from 'node:test'
import { announced } from '../server/src/ground/outbox/index.ts'
import { announceFaults, noticeFaults, roomFaults, statementFaults, tenantFaults } from './walls.ts'

const tables = new Set(['keys'])
const look = { name: 'access.list_old', room: 'ground/access', text: 'select hash from keys', names: [] }
const batch = { name: 'access.touch', room: 'ground/access', text: 'update keys set used = true', names: [] }
const lists = { looks: { 'access.list_old': 'a sweep' }, batches: { 'access.touch': 'many at once' } }
const faultsOf = (...declared: Parameters<typeof tenantFaults>[0]) => tenantFaults(declared, tables, lists)

test('what the server declares is in order', async () => {
  assert.deepEqual(await statementFaults(), [])
})

test('what names no tenant is refused by its name, unless it is listed', () => {
  assert.deepEqual(faultsOf(look, batch), [])
  const [fault, ...more] = faultsOf(look, batch, { ...look, name: 'access.count' })
  assert.deepEqual(more, [])
  assert.match(fault ?? '', /SQL "access\.count": keys is not bound to the tenant/)
})

test('a look that locks or changes something is refused, and so is a batch that only looks', () => {
  assert.match(
    faultsOf({ ...look, text: 'select hash from keys for update' }, batch)[0] ?? '',
    /"access\.list_old" looks/,
  )
  assert.match(faultsOf({ ...look, text: 'delete from keys' }, batch)[0] ?? '', /"access\.list_old" looks/)
  assert.match(faultsOf(look, { ...batch, text: 'select hash from keys' })[0] ?? '', /put it among the looks/)
})

test('a statement that spans tenants is refused where its tables are not joined by the tenant', () => {
  const text = 'select k.hash from keys k join keys other on other.used'
  assert.match(faultsOf({ ...look, text }, batch)[0] ?? '', /"access\.list_old": keys \(as k\) is not joined/)
})

test('an exception that excuses nothing is refused', () => {
  const bound = { ...look, text: 'select hash from keys where tenant_id = $1', names: ['tenantId'] }
  assert.match(faultsOf(bound, batch)[0] ?? '', /"access\.list_old" of the tenant wall is not needed/)
  assert.match(faultsOf(look)[0] ?? '', /"access\.touch" of the tenant wall is not needed/)
})

test('a statement bears the name of its room', () => {
  assert.deepEqual(roomFaults(look), [])
  assert.match(roomFaults({ ...look, room: 'ground/mail' })[0] ?? '', /begin its name with "mail\."/)
})

test('an event that is written without its line is refused, wherever the insert stands', () => {
  const chat = { name: 'chat.hand_over', room: 'features/chat', names: [] }
  const text = announced('changed', { event: `'conversation.handoff'`, eventId: '$1', sessionId: 'session_id' })
  assert.deepEqual(announceFaults({ ...chat, text }), [])
  const own = `with made as (insert into outbox (tenant_id, event_id, event, session_id, fields) values (1, 'a', 'b', 'c', '{}')) select 1`
  assert.match(announceFaults({ ...chat, text: own })[0] ?? '', /announce with announced\(\)/)
})

test('a change that notifies is refused, except from the bells', () => {
  const text = `with made as (insert into mails (tenant_id) values (1) returning 1) select pg_notify('mail', '') from made`
  assert.equal(noticeFaults({ name: 'mail.insert', room: 'ground/mail', text }).length, 1)
  assert.deepEqual(noticeFaults({ name: 'jobs.ring', room: 'ground/jobs', text: `select pg_notify('mail', '')` }), [])
})
