// A balancer as simple as they come: each request goes to the next instance, and nobody is remembered. A request goes to another
// one only if no connection could be made, so that nothing is sent twice.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type Balancer = {
  readonly url: string
  /** Breaks every connection of a client. */
  cut(): void
  close(): Promise<void>
}

/** `portOf` is undefined while an instance is down. */
export async function openBalancer(seats: number, portOf: (seat: number) => number | undefined): Promise<Balancer> {
  const clients = new Set<Socket>()
  let turn = 0
  const server = createServer(async (incoming, outgoing) => {
    const body = await incoming.toArray().catch(() => undefined)
    if (body === undefined) return void outgoing.destroy()
    const bytes = Buffer.concat(body)
    for (let left = seats; left > 0; left--) {
      const port = portOf(turn++ % seats)
      if (port !== undefined && (await passOn(port, incoming, bytes, outgoing))) return
    }
    outgoing.writeHead(503, { 'retry-after': '1' }).end()
  })
  server.on('connection', (socket) => {
    clients.add(socket)
    socket.once('close', () => clients.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      for (const socket of clients) socket.destroy()
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** False if there was nobody to connect to. */
function passOn(port: number, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url, headers } = incoming
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false })
    outgoing.once('close', () => onward.destroy())
    onward.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      // An instance that dies in the middle of its answer breaks the connection of whoever reads it.
      answer.once('close', () => {
        if (!answer.complete) outgoing.destroy()
      })
      resolve(true)
    })
    onward.once('error', (error: NodeJS.ErrnoException) => {
      const isRefused = error.code === 'ECONNREFUSED'
      if (!isRefused) outgoing.destroy()
      resolve(!isRefused)
    })
    onward.end(body)
  })
}
