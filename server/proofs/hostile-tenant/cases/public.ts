// What anyone may request without a key, on many connections at the same time.
import { type Deed, type HostileCase, times } from '../case.ts'
import type { Line, Shot } from '../wire.ts'

const CONNECTIONS = 32
const REQUESTS_PER_CONNECTION = 10
const READABLE = [200, 401, 404]

const get = (path: string): Shot => ({
  key: '',
  method: 'GET',
  path,
  body: Buffer.alloc(0),
  headers: { accept: 'text/html' },
})

/** Each connection sends its next request when it has the response to the one before. */
const flood =
  (path: string, connections: number): Deed =>
  async (line: Line) => {
    const statuses = await Promise.all(
      times(connections, async () => {
        let worst = 0
        for (let sent = 0; sent < REQUESTS_PER_CONNECTION; sent++) worst = Math.max(worst, await line.send(get(path)))
        return worst
      }),
    )
    // The case accepts every status under 500. A refusal (429) would show that nothing was served.
    return statuses.every((status) => READABLE.includes(status)) ? Math.max(...statuses) : 500
  }

const flooded = (path: string): HostileCase => ({
  name: `${CONNECTIONS} connections on ${path}`,
  calm: true,
  prepare: async () => ({ hostile: () => flood(path, CONNECTIONS), harmless: () => flood(path, 1) }),
})

/** The words are in many places, and each stands for others. */
const SEARCH = '/docs/search?q=the+service+writes+person+action+tenant+call+resend'

export const publicCases: readonly HostileCase[] = [
  '/docs',
  '/docs/no-such-page',
  '/docs/search?q=refund',
  SEARCH,
  '/openapi',
  '/swagger',
  '/widget/service-assistant.js',
  '/inbox',
  '/no-such-route',
].map(flooded)
