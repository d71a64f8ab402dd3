// A business's tool endpoint, as light as one can be: it reads the request, answers at once or after so many milliseconds, and can
// tell what it last saw.
import { createServer, type IncomingHttpHeaders } from 'node:http'

const lines = Array.from({ length: 6 }, (_, at) => ({ sku: `SKU-${1000 + at}`, quantity: at + 1, price: 12.5 }))
const answer = JSON.stringify({ number: 'A-1001', state: 'paid', total: 262.5, currency: 'EUR', lines })

const answerMs = Number(process.argv[3] ?? 0)

let last: { headers: IncomingHttpHeaders; body: Buffer[] } | undefined

createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.url === '/health') return response.end('{"status":"ok"}')
  if (request.url === '/last') {
    return response.end(JSON.stringify({ headers: last?.headers, body: Buffer.concat(last?.body ?? []).toString() }))
  }
  const body: Buffer[] = []
  request.on('data', (piece: Buffer) => body.push(piece))
  request.on('end', () => {
    last = { headers: request.headers, body }
    const respond = () =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
    if (answerMs === 0) respond()
    else setTimeout(respond, answerMs)
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
