// The tools of the shop: six reads and four writes. A write is staged, and a person confirms it. Whatever changes an order needs the
// customer who owns it.
import type { ToolSpec } from '@tether/sdk'

const number = { type: 'string', pattern: '^[Aa]-[0-9]{1,6}$', description: 'The order number, such as A-17.' }
const sku = { type: 'string', pattern: '^[a-z]+-[a-z]+$', description: 'The article code, such as cup-blue.' }
const takes = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
/** Of somebody else's order the read says that there is none, so that nothing is staged for it. */
const ownOrderIs = (...allowed: string[]) => ({
  tool: 'get_order',
  arguments: { number: { from: 'number' }, mine: { value: true } },
  check: { path: 'state', in: allowed },
})

export const CATALOG: readonly ToolSpec[] = [
  {
    name: 'search_products',
    description:
      'Search what the shop sells: tea, clay cups, teapots, honey and sets, with price in GEL and stock. An empty query lists everything. · რა იყიდება: ჩაი, ფინჯანი, ჩაიდანი, თაფლი, ფასი.',
    domain: 'catalogue',
    parameters: takes(
      {
        query: {
          type: 'string',
          maxLength: 80,
          description: 'Words of the product name, in Georgian or English; leave it empty to list everything.',
        },
        max_price: { type: 'number', minimum: 0, description: 'The highest price, in GEL.' },
      },
      [],
    ),
    result: { pick: ['products.sku', 'products.name', 'products.price', 'products.stock'], max_items: 20 },
  },
  {
    name: 'get_product',
    description: 'One product by its article code: name, price in GEL and how many are in stock.',
    domain: 'catalogue',
    parameters: takes({ sku }),
  },
  {
    name: 'get_order',
    description:
      'Where an order is: its state (paid, shipped, delivered, refunded, cancelled) and when it was placed. Its owner, once signed in, also gets its lines, total in GEL and delivery address. · სად არის შეკვეთა.',
    domain: 'orders',
    parameters: takes(
      {
        number,
        mine: {
          type: 'boolean',
          description:
            'True finds the order only if it belongs to the person who is signed in. Leave it out otherwise.',
        },
      },
      ['number'],
    ),
    examples: { number: ['A-17'] },
  },
  {
    name: 'list_my_orders',
    description: 'The orders of the person who is signed in, with their states and totals in GEL.',
    domain: 'orders',
    requires_customer: true,
    result: { pick: ['orders.number', 'orders.state', 'orders.placed', 'orders.total'], max_items: 20 },
  },
  {
    name: 'get_delivery_options',
    description:
      'How the shop delivers to a city, with price in GEL and the number of days that it takes. · მიწოდება, მიტანა ქალაქში: ფასი და ვადა.',
    domain: 'delivery',
    parameters: takes({ city: { type: 'string', maxLength: 80, description: 'The city to deliver to.' } }),
    examples: { city: ['Tbilisi', 'Batumi'] },
  },
  {
    name: 'get_return_policy',
    description:
      'The rules for returning goods: within how many days, and what cannot be returned. · დაბრუნების წესები, პირობები და ვადა.',
    domain: 'delivery',
  },
  {
    name: 'refund_order',
    description:
      'Refund an order to the card that paid for it, in whole or in part. The order must be paid or delivered.',
    is_write: true,
    risk: 'elevated',
    requires_customer: true,
    domain: 'orders',
    value_from: 'amount',
    parameters: takes(
      {
        number,
        amount: {
          type: 'number',
          exclusiveMinimum: 0,
          description: 'How much, in GEL; leave it out for the whole order.',
        },
      },
      ['number'],
    ),
    precondition: ownOrderIs('paid', 'delivered'),
    verify: ownOrderIs('refunded'),
  },
  {
    name: 'cancel_order',
    description: 'Cancel an order that was paid and has not left the shop. This cannot be undone.',
    is_write: true,
    risk: 'high',
    requires_customer: true,
    domain: 'orders',
    parameters: takes({ number }),
    precondition: ownOrderIs('paid'),
    verify: ownOrderIs('cancelled'),
  },
  {
    name: 'change_delivery_address',
    description: 'Send an order that has not left the shop to another address.',
    is_write: true,
    requires_customer: true,
    domain: 'delivery',
    parameters: takes({
      number,
      address: { type: 'string', minLength: 5, maxLength: 200, description: 'The whole new address.' },
    }),
    precondition: ownOrderIs('paid'),
  },
  {
    name: 'tell_when_back',
    description: 'Write to somebody when a product that is sold out is back in stock.',
    is_write: true,
    domain: 'catalogue',
    parameters: takes({ sku, email: { type: 'string', maxLength: 254, description: 'Where to write to.' } }),
  },
]
