import assert from 'node:assert/strict'
import test from 'node:test'
import { guestTable, insertedColumns, type Rules, tableFaults, writesOf } from './table-wall.ts'

const rules: Rules = {
  owners: { shops: 'ground/shops', orders: 'features/orders' },
  guests: [{ table: 'orders', room: 'ground/shops', may: ['insert'], why: 'a shop opens with an order' }],
  eraser: { room: 'ground/shops', statement: 'shops.erase_' },
}
const tables = ['shops', 'orders']
const guest = { name: 'shops.open', room: 'ground/shops', text: 'insert into orders (a) values (1)' }
const faultsOf = (room: string, name: string, text: string) => tableFaults([guest, { room, name, text }], tables, rules)

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
  assert.deepEqual(faultsOf('features/orders', 'orders.place', 'insert into orders (a) select a from shops'), [])
  assert.deepEqual(faultsOf('features/orders', 'orders.forget', 'delete from orders'), [])
})

test('a guest does what is written down for it, and nothing else; the fault names the statement and both rooms', () => {
  assert.deepEqual(tableFaults([guest], tables, rules), [])
  const [fault, ...more] = faultsOf('ground/shops', 'shops.move', 'update orders set a = 1')
  assert.deepEqual(more, [])
  assert.match(fault ?? '', /"shops\.move" of ground\/shops does update in orders, which belongs to features\/orders/)
  assert.equal(faultsOf('features/orders', 'orders.close', 'delete from shops').length, 1)
  const upsert = 'insert into orders (a) values (1) on conflict (a) do update set a = 2'
  assert.equal(faultsOf('ground/shops', 'shops.again', upsert).length, 1, 'the update of an upsert is an update')
})

test('a deletion of everything is for one room, under its name, and deletes only', () => {
  assert.deepEqual(faultsOf('ground/shops', 'shops.erase_orders', 'delete from orders'), [])
  assert.equal(faultsOf('ground/shops', 'shops.erase_orders', 'update orders set a = 1').length, 1)
  assert.equal(faultsOf('features/orders', 'shops.erase_shops', 'delete from shops').length, 1)
})

test('a table without a room, a room without its table, and a guest that does nothing are faults', () => {
  const [homeless] = tableFaults([guest], [...tables, 'carts'], rules)
  assert.match(homeless ?? '', /carts belongs to nobody/)
  const [gone] = tableFaults([guest], ['orders'], rules)
  assert.match(gone ?? '', /No migration makes the table shops/)
  const [needless] = tableFaults([], tables, rules)
  assert.match(needless ?? '', /Nothing in ground\/shops does insert in orders/)
  const stray = { name: 'orders.note', room: 'features/orders', text: 'insert into notes (a) values (1)' }
  assert.match(tableFaults([guest, stray], tables, rules)[0] ?? '', /notes, which belongs to nobody/)
})

test('the columns of an insert are those that it names', () => {
  const text = 'with a as (insert into orders (x, y) values (1, 2)) insert into shops (z) values (3)'
  assert.deepEqual(insertedColumns(text, 'orders'), ['x, y'])
  assert.deepEqual(insertedColumns(text, 'carts'), [])
})

test('the page names a table once, and goes on below it', () => {
  const [first] = rules.guests
  assert.ok(first !== undefined)
  const page = guestTable([first, { ...first, room: 'ground/carts', may: ['insert', 'delete'] }], rules.owners)
  assert.deepEqual(page.split('\n').slice(2), [
    '| `orders` of features/orders | ground/shops | insert | a shop opens with an order |',
    '| | ground/carts | insert, delete | a shop opens with an order |',
  ])
})
