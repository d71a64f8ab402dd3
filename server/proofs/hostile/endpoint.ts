// A tool endpoint that speaks by the byte: what it does once a request is there is up to its manner.
import { createServer, type Server, type Socket } from 'node:net'

/** One connection whose request was read. */
export type Peer = {
  write(bytes: string | Buffer): void
  end(): void
  /** Closes the way a crashed machine does. */
  reset(): void
  /** Does it again and again, until it answers false or the other side has enough. */
  every(milliseconds: number, work: () => unknown): void
  /** Sends this as fast as the other side takes it, for ever. */
  flood(chunk: string | Buffer): void
  after(milliseconds: number, work: () => void): void
}

export type Endpoint = { readonly url: string; close(): Promise<void> }

/** Nobody listens there: it was free a moment ago, and is again. */
export async function closedPort(): Promise<string> {
  const { url, close } = await openEndpoint(() => undefined)
  await close()
  return url
}

export async function openEndpoint(answer: (peer: Peer) => void): Promise<Endpoint> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Whatever we do to each other is the point here.
    socket.on('error', () => undefined)
    readRequests(socket, () => answer(peerOf(socket)))
  })
  await listen(server)
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The system gave no port.')
  return {
    url: `http://127.0.0.1:${address.port}/tools`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()))

/** Tells of every complete request; a connection may carry several. */
function readRequests(socket: Socket, onRequest: () => void): void {
  let unread = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    unread += text
    const headEnd = unread.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(unread)?.[1] ?? 0)
    if (headEnd === -1 || unread.length < headEnd + 4 + length) return
    unread = unread.slice(headEnd + 4 + length)
    onRequest()
  })
}

function peerOf(socket: Socket): Peer {
  const write = (bytes: string | Buffer): boolean => !socket.destroyed && socket.write(bytes)
  return {
    write: (bytes) => void write(bytes),
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    every(milliseconds, work) {
      const timer = setInterval(() => {
        if (socket.destroyed || work() === false) clearInterval(timer)
      }, milliseconds)
    },
    after: (milliseconds, work) => void setTimeout(work, milliseconds),
    flood(chunk) {
      const more = (): void => {
        while (!socket.destroyed && write(chunk));
      }
      socket.on('drain', more)
      more()
    },
  }
}
