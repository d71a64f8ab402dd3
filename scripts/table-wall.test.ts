import assert from 'node:assert/strict'
import test from 'node:test'
import type { Declaration } from '../server/src/kernel/db/index.ts'
import { insertedColumns, ownerFaults, tableFaults, writesOf } from './table-wall.ts'

const tables = {
  shops: { owner: 'tools/shops' },
  orders: { owner: 'writes/orders', wakes: 'orders' },
}
const GUEST = { guest: { orders: 'a shop opens with an order' }, wakes: ['orders'] }
const faultsOf = (room: string, text: string, declaration: Declaration = {}) =>
  tableFaults([{ room, name: `${room.split('/')[1]}.change`, text, ...declaration }], tables)

test('what a text writes is found wherever it stands, and an insert that updates is both', () => {
  const text = `with gone as (delete from a using b where a.x = b.x returning a.x), made as (insert into c (x) select x from gone)
    update d set x = (select x from e) where exists (select 1 from f for update)`
  assert.deepEqual(writesOf(text), [
    { table: 'c', change: 'insert' },
    { table: 'd', change: 'update' },
    { table: 'a', change: 'delete' },
  ])
  assert.deepEqual(writesOf('insert into a (x) values (1) on conflict (x) do update set x = 2'), [
    { table: 'a', change: 'insert' },
    { table: 'a', change: 'update' },
  ])
  assert.deepEqual(writesOf('insert into a (x) values (1) on conflict (x) do nothing').length, 1)
  assert.deepEqual(writesOf('select x from a for update'), [])
})

test('a room writes its own tables in every way, and reads those of others', () => {
  const place = 'insert into orders (a) select a from shops'
  assert.deepEqual(faultsOf('writes/orders', place, { wakes: ['orders'] }), [])
  assert.deepEqual(faultsOf('writes/orders', 'delete from orders'), [])
})

test('a statement writes a table of another room only as its guest, and the fault names the statement and both rooms', () => {
  const open = 'insert into orders (a) values (1)'
  assert.deepEqual(faultsOf('tools/shops', open, GUEST), [])
  const [fault, ...more] = faultsOf('tools/shops', 'update orders set a = 1')
  assert.deepEqual(more, [])
  assert.match(fault ?? '', /"shops\.change" of tools\/shops writes orders, which belongs to writes\/orders/)
  assert.match(faultsOf('writes/orders', 'insert into notes (a) values (1)')[0] ?? '', /notes, which belongs to nobody/)
})

test('a guest that does not write the table is a fault, also in its own table', () => {
  assert.match(faultsOf('tools/shops', 'delete from shops', { guest: GUEST.guest })[0] ?? '', /is no guest of orders/)
  assert.match(
    faultsOf('writes/orders', 'delete from orders', { guest: GUEST.guest })[0] ?? '',
    /is no guest of orders/,
  )
})

test('an insert that makes work for a job declares that it wakes it', () => {
  const text = 'insert into orders (a) values (1)'
  assert.match(faultsOf('writes/orders', text)[0] ?? '', /makes work for the bell "orders"/)
  assert.deepEqual(faultsOf('writes/orders', 'update orders set a = 1'), [])
})

test('a table without an owner and an owner without its table are faults', () => {
  assert.deepEqual(ownerFaults(['shops', 'orders'], tables), [])
  assert.match(ownerFaults(['shops', 'orders', 'carts'], tables)[0] ?? '', /carts belongs to nobody/)
  assert.match(ownerFaults(['orders'], tables)[0] ?? '', /No migration makes the table shops/)
})

test('the columns of an insert are those that it names', () => {
  const text = 'with a as (insert into orders (x, y) values (1, 2)) insert into shops (z) values (3)'
  assert.deepEqual(insertedColumns(text, 'orders'), ['x, y'])
  assert.deepEqual(insertedColumns(text, 'carts'), [])
})
