// A workflow of Teams as the service meets it: an address that takes cards.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TeamsServer = {
  readonly url: string
  readonly cards: readonly string[]
  /** What the next card is answered. */
  answer(status: number): void
  close(): Promise<void>
}

export async function openTeamsServer(): Promise<TeamsServer> {
  const cards: string[] = []
  let next = 202
  const server = createServer(async (request, response) => {
    const card = Buffer.concat(await request.toArray()).toString()
    const status = next
    next = 202
    if (status < 300) cards.push(card)
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/workflows/1/triggers/manual/paths/invoke?sig=secret-of-the-workflow`,
    cards,
    answer(status) {
      next = status
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
