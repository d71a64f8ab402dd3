import { type Order, orders, type Product, products } from './stock.ts'

export type { Order }

/** The answer to a call. A refusal is an answer, too, and not a failure of the connection. */
export type Said = { readonly status: number; readonly body: unknown }

export type Given = Readonly<Record<string, unknown>>
export type Caller = { readonly customerId: string | null }

export type Shop = {
  /** The current orders and products, which the page shows beside the conversation. */
  readonly book: () => Book
  call(tool: string, given: Given, caller: Caller): Said
}

export type Book = { readonly orders: readonly Order[]; readonly products: readonly Product[] }

const ok = (body: unknown): Said => ({ status: 200, body })
const refused = (status: number, message: string): Said => ({ status, body: { message } })
const notFound = (message: string): Said => ({ status: 404, body: { status: 'not_found', message } })
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

export function openShop(): Shop {
  const shelf = products()
  const placed = orders()
  const orderOf = (given: Given) => placed.find(({ number }) => number === text(given.number).toUpperCase())
  const productOf = (given: Given) => shelf.find(({ sku }) => sku === text(given.sku))
  const withOrder = (act: (order: Order, given: Given) => Said) => (given: Given) => {
    const order = orderOf(given)
    return order === undefined ? notFound('There is no such order. · ასეთი შეკვეთა არ არის.') : act(order, given)
  }

  const tools: Readonly<Record<string, (given: Given, caller: Caller) => Said>> = {
    search_products: (given) => ok({ products: search(shelf, given) }),
    get_product: (given) => {
      const product = productOf(given)
      return product === undefined ? notFound('The shop does not sell this. · მაღაზიაში ეს არ იყიდება.') : ok(product)
    },
    get_order: withOrder((order) => ok(order)),
    list_my_orders: (_given, { customerId }) =>
      ok({ orders: placed.filter(({ customer }) => customer === customerId) }),
    get_delivery_options: (given) => ok(delivery(text(given.city))),
    get_return_policy: () => ok(RETURNS),
    refund_order: withOrder(refund),
    cancel_order: withOrder(cancel),
    change_delivery_address: withOrder(move),
    tell_when_back: (given) => {
      const product = productOf(given)
      if (product === undefined) return notFound('The shop does not sell this. · მაღაზიაში ეს არ იყიდება.')
      const email = text(given.email)
      return email.includes('@')
        ? ok({ noted: true, sku: product.sku, email })
        : refused(422, 'Give the e-mail address to write to.')
    },
  }
  return {
    book: () => ({ orders: placed, products: shelf }),
    call: (tool, given, caller) =>
      (Object.hasOwn(tools, tool) ? tools[tool]?.(given, caller) : undefined) ??
      refused(404, `The shop has no tool "${tool}".`),
  }
}

function search(shelf: readonly Product[], given: Given): Product[] {
  // "cups" finds the cup.
  const words = text(given.query)
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/(?<=\w{3})s$/, ''))
  const most = typeof given.max_price === 'number' ? given.max_price : Number.POSITIVE_INFINITY
  return shelf.filter(({ name, price }) => price <= most && words.every((word) => name.toLowerCase().includes(word)))
}

const NEAR = /tbilisi|თბილის/i
const delivery = (city: string) => ({
  city,
  currency: 'GEL',
  options: NEAR.test(city)
    ? [
        { name: 'Today · დღესვე', price: 8, days: 0 },
        { name: 'Standard · ჩვეულებრივი', price: 0, days: 2 },
      ]
    : [{ name: 'Post · ფოსტა', price: 6, days: 4 }],
})

const RETURNS = {
  days: 14,
  policy:
    'Anything undamaged and unused can be returned within 14 days. Opened tea cannot be returned. · ' +
    'დაუზიანებელი და გამოუყენებელი ნივთი 14 დღეში ბრუნდება; გახსნილი ჩაი — არა.',
}

function refund(order: Order, given: Given): Said {
  if (order.state !== 'delivered' && order.state !== 'paid') {
    return refused(409, `An order that is ${order.state} cannot be refunded.`)
  }
  // Without an amount we refund the whole order, but we never take an unreadable amount for that.
  const { amount = order.total } = given
  if (typeof amount !== 'number' || !(amount > 0 && amount <= order.total))
    return refused(422, `The order cost ${order.total}. Refund that much or less.`)
  Object.assign(order, { state: 'refunded', refunded: amount })
  return ok({ number: order.number, refunded: amount, currency: 'GEL', state: order.state })
}

function cancel(order: Order): Said {
  if (order.state !== 'paid') return refused(409, `An order that is ${order.state} cannot be cancelled.`)
  order.state = 'cancelled'
  return ok({ number: order.number, state: order.state })
}

function move(order: Order, given: Given): Said {
  if (order.state !== 'paid') return refused(409, `The address of an order that is ${order.state} cannot be changed.`)
  const address = text(given.address)
  if (address.length < 5) return refused(422, 'Give the whole new address.')
  order.address = address
  return ok({ number: order.number, address: order.address })
}
