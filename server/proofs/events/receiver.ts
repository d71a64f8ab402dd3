// A receiver in bad weather: it fails, cuts the line, hangs, goes away and comes back; and it keeps the books.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Arrival = {
  readonly eventId: string
  readonly lane: string
  readonly body: string
  readonly at: number
  /** Whether it was answered with 2xx. */
  readonly acknowledged: boolean
}

export type Mood = 'yes' | 'error' | 'cut' | 'hang'

export type Receiver = {
  readonly url: string
  readonly arrivals: readonly Arrival[]
  /** Nobody listens for so long; then the same address is there again. */
  restart(awayMs: number): Promise<void>
  mood(next: () => Mood): void
  close(): Promise<void>
}

export async function openReceiver(first: () => Mood = () => 'yes'): Promise<Receiver> {
  const arrivals: Arrival[] = []
  let mood = first
  const open = (port: number): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer(async (request, response) => {
        const pieces = await request.toArray().catch(() => undefined)
        // A sender that was killed half-way has sent nothing.
        if (pieces === undefined) return
        const body = Buffer.concat(pieces).toString()
        const { request_id: eventId, session_id: lane } = JSON.parse(body)
        const now = mood()
        arrivals.push({ eventId, lane, body, at: performance.now(), acknowledged: now === 'yes' })
        answer(response, now)
      })
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve(server))
    })
  let server = await open(0)
  const { port } = server.address() as AddressInfo
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}/events`,
    arrivals,
    mood(next) {
      mood = next
    },
    async restart(awayMs) {
      await stop()
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      server = await open(port)
    },
    close: stop,
  }
}

function answer(response: ServerResponse, mood: Mood): void {
  if (mood === 'yes') response.writeHead(204).end()
  if (mood === 'error') response.writeHead(500).end()
  if (mood === 'cut') response.socket?.destroy()
}
