import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call, Refusal } from '@tether/sdk'
import { CATALOG } from './catalog.ts'
import { openShop } from './shop.ts'

type Asked = (given?: object, customer?: string | null) => { status: number; body: unknown }

/** A new shop, as its receiver asks it; Nino is signed in unless another one is named. */
function asked() {
  const { book, tools } = openShop()
  const call = (name: string, ...[given = {}, customer = 'nino']: Parameters<Asked>): ReturnType<Asked> => {
    // A tool reads no more of a call than these.
    const made = { tool: name, arguments: given, customer: customer === null ? null : { id: customer } } as Call
    try {
      return { status: 200, body: tools[name]?.(made) }
    } catch (thrown) {
      const { reply } = thrown as Refusal
      return { status: reply.status, body: JSON.parse(reply.body) }
    }
  }
  const order = (number: string) => book().orders.find((each) => each.number === number)
  return { call, order, tools }
}

test('of somebody else’s order one learns its state and its date, and its owner learns all of it', () => {
  const { call, order } = asked()
  const known = { number: 'A-17', state: 'delivered', placed: '2026-11-09' }
  for (const customer of [null, 'giorgi']) {
    assert.deepEqual(call('get_order', { number: 'A-17' }, customer), { status: 200, body: known })
    const own = call('get_order', { number: 'A-17', mine: true }, customer)
    assert.equal(own.status, 404, 'as if it were not there')
    assert.deepEqual(own, call('get_order', { number: 'A-99', mine: true }, customer))
  }
  for (const mine of [true, false])
    assert.deepEqual(call('get_order', { number: 'a-17', mine }), { status: 200, body: order('A-17') })
  assert.equal(call('get_order', { number: 'A-99' }).status, 404)
})

test('nobody changes an order but its owner, and nobody is told whose it is', () => {
  const { call, order } = asked()
  const before = structuredClone(['A-17', 'A-20'].map(order))
  for (const customer of [null, 'giorgi'])
    for (const [tool, given] of [
      ['refund_order', { number: 'A-17' }],
      ['cancel_order', { number: 'A-20' }],
      ['change_delivery_address', { number: 'A-20', address: '1 Gorgiladze St, Batumi' }],
    ] as const) {
      const { status, body } = call(tool, given, customer)
      assert.equal(status, 404, tool)
      assert.deepEqual(body, call(tool, { ...given, number: 'A-99' }, customer).body)
    }
  assert.deepEqual(['A-17', 'A-20'].map(order), before)
})

test('an order is refunded once, whole unless an amount is said', () => {
  const { call, order } = asked()
  assert.deepEqual(call('refund_order', { number: 'a-17' }), {
    status: 200,
    body: { number: 'A-17', refunded: 88, currency: 'GEL', state: 'refunded' },
  })
  assert.equal(call('refund_order', { number: 'A-17' }).status, 409)
  assert.equal(call('refund_order', { number: 'A-19', amount: 100.5 }, 'giorgi').status, 200)
  assert.equal(call('refund_order', { number: 'A-19', amount: 1 }, 'giorgi').status, 409, 'also in part')
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
  assert.equal(call('change_delivery_address', { number: 'A-20', address: '     ' }).status, 422)
  assert.equal(call('change_delivery_address', { number: 'A-20', address: '1 Gorgiladze St, Batumi' }).status, 200)
  assert.equal(order('A-20')?.address, '1 Gorgiladze St, Batumi')
  assert.equal(call('cancel_order', { number: 'A-20' }).status, 200)
  assert.equal(call('cancel_order', { number: 'A-20' }).status, 409)
  assert.equal(call('refund_order', { number: 'A-20' }).status, 409, 'what was cancelled is not paid back again')
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
  const numbers = (customer: string | null) =>
    (call('list_my_orders', {}, customer).body as { orders: { number: string }[] }).orders.map(({ number }) => number)
  assert.deepEqual(numbers('nino'), ['A-17', 'A-18', 'A-20', 'A-21'])
  assert.deepEqual(numbers(null), [])
  assert.equal(call('tell_when_back', { sku: 'tea-mountain', email: 'nino@example.com' }, null).status, 200)
  assert.equal(call('tell_when_back', { sku: 'tea-mountain', email: ' ' }, null).status, 422)
})

test('the shop has the tools that its catalog names, and whatever changes an order needs its customer', () => {
  assert.deepEqual(
    Object.keys(asked().tools),
    CATALOG.map(({ name }) => name),
  )
  for (const { name, is_write: isWrite, domain, precondition, requires_customer: needsCustomer } of CATALOG)
    if (isWrite && domain !== 'catalogue')
      assert.deepEqual([needsCustomer, (precondition as { tool: string } | undefined)?.tool], [true, 'get_order'], name)
})

test('two shops share nothing', () => {
  const [one, other] = [asked(), asked()]
  one.call('refund_order', { number: 'A-17' })
  assert.equal(other.order('A-17')?.state, 'delivered')
})
