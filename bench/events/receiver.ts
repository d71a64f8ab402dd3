// A business's server, as light as one can be: it reads what comes, says yes, and knows how much came.
import { createServer } from 'node:http'

let count = 0
let last = ''

createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.url === '/health') return response.end('{"status":"ok"}')
  if (request.url === '/count') return response.end(JSON.stringify({ count, last }))
  const body: Buffer[] = []
  request.on('data', (piece: Buffer) => body.push(piece))
  request.on('end', () => {
    count++
    const { host: _host, connection: _connection, ...headers } = request.headers
    last = `${JSON.stringify(Object.keys(headers).sort())} ${Buffer.concat(body).toString()}`
    response.writeHead(204).end()
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
