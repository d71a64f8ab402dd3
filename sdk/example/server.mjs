// Your side of the README's first five minutes, in plain JavaScript: it answers reads, runs each write once, and takes events.
//   TETHER_SIGNING_SECRET=whsec_… node sdk/example/server.mjs
import { createServer } from 'node:http'
import { notFound, receiver, refused } from '@tether/sdk'

const secret = process.env.TETHER_SIGNING_SECRET
if (!secret?.startsWith('whsec_')) {
  process.stderr.write('Set TETHER_SIGNING_SECRET to the signingSecret that sign-up returned (whsec_…).\n')
  process.exit(1)
}

const orders = new Map([['A-1001', { number: 'A-1001', state: 'paid', total: 48 }]])
const orderOf = ({ arguments: { number } }) => {
  const order = orders.get(number)
  if (order === undefined) throw notFound('There is no such order.')
  return order
}

// Which write was performed is remembered in memory here, and a restart forgets it. In your system: `claims: postgresClaims(pool)`.
const tools = receiver({
  secret,
  tools: {
    get_order: orderOf,
    refund_order: (call) => {
      const order = orderOf(call)
      if (order.state !== 'paid') throw refused(`An order that is ${order.state} cannot be refunded.`, 'conflict')
      order.state = 'refunded'
      return order
    },
  },
  // Events come to this address, too, until you set a webhook for them.
  events: { any: ({ event, tool }) => process.stdout.write(`event ${event} ${tool ?? ''}\n`) },
})

const server = createServer(tools.node)
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  process.stdout.write(`Your tools are at http://127.0.0.1:${server.address().port}/tools\n`),
)
