// What anyone may request without a key, on many connections at the same time.
import { type Deed, type HostileCase, times } from '../case.ts'
import type { Line, Shot } from '../wire.ts'

const CONNECTIONS = 32
const REQUESTS_PER_CONNECTION = 10
const READABLE = [200, 204, 400, 401, 404]

const shotAt = (method: Shot['method'], path: string): Shot => ({
  key: '',
  method,
  path,
  body: Buffer.alloc(0),
  headers: { accept: 'text/html' },
})

/** Each connection sends its next request when it has the response to the one before. */
const flood =
  (shot: Shot, connections: number): Deed =>
  async (line: Line) => {
    const statuses = await Promise.all(
      times(connections, async () => {
        let worst = 0
        for (let sent = 0; sent < REQUESTS_PER_CONNECTION; sent++) worst = Math.max(worst, await line.send(shot))
        return worst
      }),
    )
    // The case accepts every status under 500. A refusal (429) would show that nothing was served.
    return statuses.every((status) => READABLE.includes(status)) ? Math.max(...statuses) : 500
  }

const flooded = (shot: Shot): HostileCase => ({
  name: `${CONNECTIONS} connections on ${shot.method === 'GET' ? '' : `${shot.method} `}${shot.path}`,
  calm: true,
  prepare: async () => ({ hostile: () => flood(shot, CONNECTIONS), harmless: () => flood(shot, 1) }),
})

/** The words are in many places, and each stands for others. */
const SEARCH = '/docs/search?q=the+service+writes+person+action+tenant+call+resend'

/** The router cannot decode it. */
const MALFORMED = '/%E0%A4'

const PATHS = [
  '/docs',
  '/docs/no-such-page',
  '/docs/search?q=refund',
  SEARCH,
  '/openapi',
  '/swagger',
  '/widget/service-assistant.js',
  '/inbox',
  '/no-such-route',
  MALFORMED,
]

export const publicCases: readonly HostileCase[] = [
  ...PATHS.map((path) => shotAt('GET', path)),
  shotAt('OPTIONS', '/v1/chat'),
].map(flooded)
