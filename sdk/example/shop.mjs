// A whole shop on one page: a catalog, reads, a write that runs once, events, and the widget for a customer who is signed in. Its data
// is in SQLite (Node 22.13 or later), and so are the claims of its writes.
//   TETHER_BASE_URL=http://127.0.0.1:8787 TETHER_API_KEY=tth_… TETHER_SIGNING_SECRET=whsec_… node shop.mjs
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { client, mintCustomerToken, notFound, receiver, refused, sqliteClaims } from '@tether/sdk'

const {
  TETHER_BASE_URL = 'http://127.0.0.1:8787',
  TETHER_API_KEY,
  TETHER_SIGNING_SECRET,
  PORT = '3000',
  DATABASE = 'shop.sqlite',
} = process.env
const home = `http://127.0.0.1:${PORT}`

const database = new DatabaseSync(DATABASE, { timeout: 5000 })
database.exec('create table if not exists orders (number text primary key, customer text, state text, total real)')
database.exec("insert or ignore into orders values ('A-1', 'nino', 'paid', 48), ('A-2', 'nino', 'sent', 12)")

// What a model may use. The read is also the check before the write, and the look at its effect afterwards.
const number = {
  type: 'object',
  properties: { number: { type: 'string', description: 'Such as A-1.' } },
  required: ['number'],
}
const stateIs = (state) => ({
  tool: 'get_order',
  arguments: { number: { from: 'number' } },
  check: { path: 'state', equals: state },
})
const catalog = [
  {
    name: 'get_order',
    description: 'Looks up one order by its number: state and total.',
    is_write: false,
    parameters: number,
  },
  {
    name: 'my_orders',
    description: 'Lists the orders of the signed-in customer.',
    is_write: false,
    requires_customer: true,
  },
  {
    name: 'cancel_order',
    description: 'Cancels one order of the signed-in customer that was not sent yet.',
    is_write: true,
    requires_customer: true,
    parameters: number,
    precondition: stateIs('paid'),
    verify: stateIs('cancelled'),
  },
]

const tools = receiver({
  secret: TETHER_SIGNING_SECRET,
  catalog,
  claims: sqliteClaims(database),
  tools: {
    get_order: ({ arguments: { number } }) =>
      database.prepare('select number, state, total from orders where number = ?').get(number) ??
      notFound('There is no such order. · ასეთი შეკვეთა არ არის.'),
    my_orders: ({ customer }) => ({
      orders: database.prepare('select number, state from orders where customer = ?').all(customer.id),
    }),
    cancel_order: {
      // With its claim, or not at all. The customer comes from the token, so nobody cancels for somebody else.
      transaction: ({ arguments: { number }, customer }, inside) => {
        const cancel = inside.prepare(
          "update orders set state = 'cancelled' where number = ? and customer = ? and state = 'paid' returning number, state",
        )
        const cancelled = cancel.get(number, customer.id)
        if (cancelled === undefined) throw refused('This order cannot be cancelled.', 'conflict')
        return cancelled
      },
    },
  },
  events: { any: ({ event, action_id }) => console.log(event, action_id) },
})

const tether = client({ url: TETHER_BASE_URL, key: TETHER_API_KEY })
await tether.request('PUT /v1/tools', { body: catalog })
await tether.request('PUT /v1/endpoint', { body: { url: `${home}/tools` } })
await tether.request('PUT /v1/origins', { body: { origins: [home] } })
const { snippet } = await tether.request('POST /v1/embed', { body: { language: 'ka' } })
// Each call issues a new key and ends the old one: in your system, issue it once and keep it like a password.
const { customerTokenKey, tenantId } = await tether.request('POST /v1/account/customer-token-key')

const page = `<!doctype html><meta charset="utf-8"><title>Shop</title><h1>Shop</h1>
${snippet}
<script>
  document.querySelector('service-assistant').getCustomerToken = async () => (await fetch('/my/assistant-token')).text()
</script>`

createServer(async (request, response) => {
  if (request.url === '/tools') return await tools.node(request, response)
  // Whoever is signed in with you. Here everybody is Nino.
  if (request.url === '/my/assistant-token')
    return response.end(await mintCustomerToken({ key: customerTokenKey, tenantId, customerId: 'nino' }))
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}).listen(Number(PORT), '127.0.0.1', () =>
  console.log(`The shop is at ${home}: ask for "my orders", then "cancel order A-1".`),
)
