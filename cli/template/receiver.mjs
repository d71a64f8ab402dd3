// Your side: it answers the reads, performs each confirmed write once, and hears what happened.
import { readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { notFound, receiver, refused } from '@tether/sdk'

// Yours are in a database.
const orders = new Map([
  ['A-1001', { number: 'A-1001', state: 'shipped', total: 48 }],
  ['A-1002', { number: 'A-1002', state: 'paid', total: 120 }],
])

const orderOf = ({ arguments: { number } }) => {
  const order = orders.get(number)
  if (order === undefined) throw notFound('There is no such order.')
  return order
}

export const openReceiver = (secret) =>
  receiver({
    secret,
    // Every tool of the catalog must have a function here, or the receiver does not start.
    catalog: JSON.parse(readFileSync(new URL('tools.json', import.meta.url), 'utf8')),
    tools: {
      get_order: orderOf,
      refund_order: (call) => {
        const order = orderOf(call)
        if (order.state === 'refunded') throw refused('This order has been refunded already.', 'conflict')
        order.state = 'refunded'
        return order
      },
    },
    // Which write was performed is kept in memory, and a restart forgets it. In production: claims: postgresClaims(pool).
    events: { any: ({ event, tool }) => console.log('event', event, tool ?? '') },
  })

/** Where `tether dev` runs in this folder, it keeps the secret of its workspace here. */
function secretOfDev() {
  try {
    return /^TETHER_SIGNING_SECRET=(\S+)/m.exec(
      readFileSync(new URL('.tether/receiver.env', import.meta.url), 'utf8'),
    )?.[1]
  } catch {
    return undefined
  }
}

// Run as a program, and not imported by the test.
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const secret = process.env.TETHER_SIGNING_SECRET ?? secretOfDev()
  if (secret === undefined) {
    console.error(
      'Set TETHER_SIGNING_SECRET to the signing secret of your workspace (whsec_…), or start `npx tether dev` in this folder first.',
    )
    process.exit(2)
  }
  const port = Number(process.env.PORT ?? 3000)
  const server = createServer(openReceiver(secret).node).listen(port, '127.0.0.1', () =>
    console.log(`Your tools are at http://127.0.0.1:${server.address().port}/tools`),
  )
}
