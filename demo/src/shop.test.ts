import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOG } from './catalog.ts'
import { type Caller, openShop } from './shop.ts'

const nobody: Caller = { customerId: null }
const nino: Caller = { customerId: 'nino' }

/** A new shop, as one asks it. */
function asked() {
  const shop = openShop()
  const call = (tool: string, given = {}, caller = nobody) => shop.call(tool, given, caller)
  const order = (number: string) => shop.book().orders.find((each) => each.number === number)
  return { call, order }
}

test('an order is refunded once, whole unless an amount is said', () => {
  const { call, order } = asked()
  assert.deepEqual(call('refund_order', { number: 'a-17' }), {
    status: 200,
    body: { number: 'A-17', refunded: 88, currency: 'GEL', state: 'refunded' },
  })
  assert.equal(call('refund_order', { number: 'A-17' }).status, 409)
  assert.equal(call('refund_order', { number: 'A-19', amount: 100.5 }).status, 200)
  assert.equal(call('refund_order', { number: 'A-19', amount: 1 }).status, 409, 'also in part')
  assert.equal(order('A-17')?.refunded, 88)
  assert.equal(order('A-19')?.refunded, 100.5)
})

test('what cannot be refunded stays as it is', () => {
  const { call, order } = asked()
  for (const amount of [0, -1, 88.01, Number.NaN, Number.POSITIVE_INFINITY, '5', null]) {
    assert.equal(call('refund_order', { number: 'A-17', amount }).status, 422, String(amount))
  }
  assert.equal(call('refund_order', { number: 'A-18' }).status, 409, 'it is on its way')
  assert.equal(call('refund_order', { number: 'A-99' }).status, 404)
  assert.deepEqual([order('A-17')?.state, order('A-17')?.refunded, order('A-18')?.state], ['delivered', 0, 'shipped'])
})

test('what was paid and has not left is cancelled once, or sent elsewhere; nothing else is', () => {
  const { call, order } = asked()
  assert.equal(call('change_delivery_address', { number: 'A-19', address: '     ' }).status, 422)
  assert.equal(call('change_delivery_address', { number: 'A-19', address: '1 Gorgiladze St, Batumi' }).status, 200)
  assert.equal(order('A-19')?.address, '1 Gorgiladze St, Batumi')
  assert.equal(call('cancel_order', { number: 'A-19' }).status, 200)
  assert.equal(call('cancel_order', { number: 'A-19' }).status, 409)
  assert.equal(call('refund_order', { number: 'A-19' }).status, 409, 'what was cancelled is not paid back again')
  for (const tool of ['cancel_order', 'change_delivery_address']) {
    assert.equal(call(tool, { number: 'A-18', address: '1 Gorgiladze St' }).status, 409, tool)
  }
})

test('reads: the shelf, one product, delivery, and the orders of whoever is signed in and of nobody else', () => {
  const { call } = asked()
  const found = (given: object) =>
    (call('search_products', given).body as { products: { sku: string }[] }).products.map(({ sku }) => sku)
  assert.deepEqual(found({ query: 'cups' }), ['cup-blue'])
  assert.deepEqual(found({ query: 'თაფლი' }), ['honey-linden'])
  assert.deepEqual(found({ max_price: 18 }), ['tea-guria', 'tea-mountain'])
  assert.equal(found({}).length, 6)
  assert.equal(call('get_product', { sku: 'pot-black' }).status, 200)
  assert.equal(call('get_product', { sku: 'pot-white' }).status, 404)
  assert.deepEqual(
    ['Tbilisi', 'თბილისი', 'Batumi'].map(
      (city) => (call('get_delivery_options', { city }).body as { options: unknown[] }).options.length,
    ),
    [2, 2, 1],
  )
  const numbers = (caller: Caller) =>
    (call('list_my_orders', {}, caller).body as { orders: { number: string }[] }).orders.map(({ number }) => number)
  assert.deepEqual(numbers(nino), ['A-17', 'A-18', 'A-20'])
  assert.deepEqual(numbers(nobody), [])
  assert.equal(call('tell_when_back', { sku: 'tea-mountain', email: 'nino@example.com' }).status, 200)
  assert.equal(call('tell_when_back', { sku: 'tea-mountain', email: ' ' }).status, 422)
})

test('the shop has every tool that its catalog names, and none that an object has anyway', () => {
  const { call } = asked()
  for (const { name } of CATALOG) assert.doesNotMatch(JSON.stringify(call(String(name))), /has no tool/, String(name))
  for (const name of ['drop_table', 'constructor', '__proto__', 'toString']) assert.equal(call(name).status, 404, name)
})

test('two shops share nothing', () => {
  const [one, other] = [asked(), asked()]
  one.call('refund_order', { number: 'A-17' })
  assert.equal(other.order('A-17')?.state, 'delivered')
})
