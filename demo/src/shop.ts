// What the shop knows and does. An order is its owner's: anybody learns its state and its date, and nobody else anything more.
import { type Call, notFound, refused } from '@tether/sdk'
import { type Order, orders, type Product, products } from './stock.ts'

export type { Order }

export type Shop = {
  /** The current orders and products, which the page shows beside the conversation. */
  readonly book: () => Book
  /** By the names of the catalog, as the receiver of the SDK calls them. */
  readonly tools: Readonly<Record<string, (call: Call) => unknown>>
}

export type Book = { readonly orders: readonly Order[]; readonly products: readonly Product[] }

type Given = Call['arguments']

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const isOwner = ({ customer }: Order, call: Call): boolean => call.customer?.id === customer

const noOrder = () => notFound('There is no such order. · ასეთი შეკვეთა არ არის.')
const notYours = () => notFound('You have no such order. · თქვენს შეკვეთებში ასეთი ნომერი არ არის.')

export function openShop(): Shop {
  const shelf = products()
  const placed = orders()
  const find = (given: Given) => placed.find(({ number }) => number === text(given.number).toUpperCase())

  function product(given: Given): Product {
    const found = shelf.find(({ sku }) => sku === text(given.sku))
    if (found === undefined) throw notFound('The shop does not sell this. · მაღაზიაში ეს არ იყიდება.')
    return found
  }

  /** Whoever asks for somebody else's order is not told that there is one. */
  const withOwn = (act: (order: Order, given: Given) => unknown) => (call: Call) => {
    const order = find(call.arguments)
    if (order === undefined || !isOwner(order, call)) throw notYours()
    return act(order, call.arguments)
  }

  return {
    book: () => ({ orders: placed, products: shelf }),
    tools: {
      search_products: ({ arguments: given }) => ({ products: search(shelf, given) }),
      get_product: ({ arguments: given }) => product(given),
      get_order: (call) => {
        const order = find(call.arguments)
        if (call.arguments.mine === true) return withOwn((own) => own)(call)
        if (order === undefined) throw noOrder()
        const { number, state, placed: day } = order
        return isOwner(order, call) ? order : { number, state, placed: day }
      },
      list_my_orders: (call) => ({ orders: placed.filter((order) => isOwner(order, call)) }),
      get_delivery_options: ({ arguments: given }) => delivery(text(given.city)),
      get_return_policy: () => RETURNS,
      refund_order: withOwn(refund),
      cancel_order: withOwn(cancel),
      change_delivery_address: withOwn(move),
      tell_when_back: ({ arguments: given }) => {
        const { sku } = product(given)
        const email = text(given.email)
        if (!email.includes('@')) throw refused('Give the e-mail address to write to.', 'invalid')
        return { noted: true, sku, email }
      },
    },
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

function refund(order: Order, given: Given) {
  if (order.state !== 'delivered' && order.state !== 'paid')
    throw refused(`An order that is ${order.state} cannot be refunded.`, 'conflict')
  // Without an amount we refund the whole order, but we never take an unreadable amount for that.
  const { amount = order.total } = given
  if (typeof amount !== 'number' || !(amount > 0 && amount <= order.total))
    throw refused(`The order cost ${order.total}. Refund that much or less.`, 'invalid')
  Object.assign(order, { state: 'refunded', refunded: amount })
  return { number: order.number, refunded: amount, currency: 'GEL', state: order.state }
}

function cancel(order: Order) {
  if (order.state !== 'paid') throw refused(`An order that is ${order.state} cannot be cancelled.`, 'conflict')
  order.state = 'cancelled'
  return { number: order.number, state: order.state }
}

function move(order: Order, given: Given) {
  if (order.state !== 'paid')
    throw refused(`The address of an order that is ${order.state} cannot be changed.`, 'conflict')
  const address = text(given.address)
  if (address.length < 5) throw refused('Give the whole new address.', 'invalid')
  order.address = address
  return { number: order.number, address: order.address }
}
