// A line to a database that can be taken away: every connection breaks and none is made, until it is given back.
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export type Line = { readonly url: string; takeAway(): void; giveBack(): void; close(): Promise<void> }

export async function openLine(databaseUrl: string): Promise<Line> {
  const { port, hostname } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let away = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true).on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    keep(client)
    if (away) {
      client.resetAndDestroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    keep(upstream)
    client.pipe(upstream).pipe(client)
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    takeAway() {
      away = true
      cut()
    },
    giveBack() {
      away = false
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
