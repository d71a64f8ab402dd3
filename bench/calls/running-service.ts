// The service with an endpoint on loopback. Production refuses to call into the own machine, so this is Development: the
// same code with two addresses more allowed, its log at `info` as JSON going to /dev/null.
import { randomBytes } from 'node:crypto'
import { type Child, freePort, healthy, startNode } from '../parts/child.ts'
import type { Place, Server } from '../parts/running-service.ts'

/** Opens the operator's routes of every service of this bench. */
export const operatorKey = randomBytes(32).toString('hex')

// One for all, so that what one process sealed another one opens.
const encryptionKey = randomBytes(32).toString('base64')

export async function startCallingService(place: Place, more: Record<string, string> = {}): Promise<Server> {
  const port = await freePort()
  const child = startNode('server/start.mjs', ['serve'], {
    env: { ...environment(port), ...databaseOf(place), ...more },
  })
  await healthy(port, 20)
  return { port, child }
}

/** A process that only works. Its word goes to /dev/null; that it works is seen from what it does. */
export const startWorker = (place: Place, more: Record<string, string> = {}): Child =>
  startNode('server/start.mjs', ['work'], { env: { ...environment(0), ...databaseOf(place), ...more } })

const databaseOf = (place: Place): Record<string, string> =>
  'url' in place ? { Database__Url: place.url } : { Database__DataDirectory: place.directory }

const environment = (port: number): Record<string, string> => ({
  Environment: 'Development',
  Http__Host: '127.0.0.1',
  Http__Port: String(port),
  Encryption__Key: encryptionKey,
  Operator__ApiKey: operatorKey,
  Signup__IpHashSalt: randomBytes(32).toString('hex'),
  Log__Format: 'json',
  // What is measured is the answering; the programs beside it send no events either.
  Work__InProcess: 'false',
  // A bench is one client; it is counted like every other, but never refused.
  RateLimit__ControlPerMinute: '1000000',
  RateLimit__RuntimePerMinute: '1000000',
  // For a look at where the time goes: BENCH_NODE_OPTIONS='--cpu-prof --cpu-prof-dir=/tmp/profiles'.
  ...(process.env.BENCH_NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS }),
})
