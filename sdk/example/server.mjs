// Your side of the README's first five minutes, in plain JavaScript: it checks signatures, answers reads, runs each write once.
//   SIGNING_SECRET=whsec_… node sdk/example/server.mjs
import { createServer } from 'node:http'
import { verifySignature } from '@tether/sdk'

const secret = process.env.SIGNING_SECRET
if (!secret?.startsWith('whsec_')) {
  process.stderr.write('Set SIGNING_SECRET to the signingSecret that sign-up returned (whsec_…).\n')
  process.exit(1)
}

const orders = new Map([['A-1001', { number: 'A-1001', state: 'paid', total: 48 }]])
// The answer of each write by its request_id, so that a repeated request gets the same answer. In your system this is a
// table, and you write its row in the transaction of the effect.
const performed = new Map()

const tools = {
  get_order: ({ number }) => orders.get(number),
  refund_order: ({ number }) => {
    const order = orders.get(number)
    if (order !== undefined) order.state = 'refunded'
    return order
  },
}

function answer(call) {
  const known = performed.get(call.request_id)
  if (known !== undefined) return known
  const result = tools[call.tool]?.(call.arguments)
  const said =
    result === undefined ? [404, { status: 'not_found', message: 'There is no such order.' }] : [200, { ...result }]
  if (call.is_write) performed.set(call.request_id, said)
  return said
}

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const signature = await verifySignature({ secret, headers: request.headers, body })
  if (!signature.ok) return response.writeHead(401).end(signature.message)
  const call = JSON.parse(body) // verify first, parse afterwards
  process.stdout.write(`${call.type} ${call.event ?? call.tool} ${JSON.stringify(call.arguments ?? {})}\n`)
  // Events come to this address, too, until you set a webhook for them, and so does POST /v1/endpoint/test. Nothing runs for them.
  if (call.type !== 'tool_call') return response.writeHead(204).end()
  const [status, result] = answer(call)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result))
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  process.stdout.write(`Your tools are at http://127.0.0.1:${server.address().port}/tools\n`),
)
