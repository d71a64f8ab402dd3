import { freePort, healthy, startNode } from '../parts/child.ts'
import type { Place, Server } from '../parts/running-service.ts'
import type { Shop } from './shops.ts'

/** The hand-written program, on the same data. It is told the signing secrets: opening them is the service's own affair. */
export async function startBare(place: Place, shops: readonly Shop[]): Promise<Server> {
  const port = await freePort()
  const at = 'url' in place ? ['url', place.url] : ['directory', place.directory]
  const secrets = Object.fromEntries(shops.map(({ tenantId, signingSecret }) => [tenantId, signingSecret]))
  const env = process.env.BENCH_NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS }
  const child = startNode('bench/calls/bare.ts', [...at, String(port), JSON.stringify(secrets)], { env })
  await healthy(port, 20)
  return { port, child }
}
