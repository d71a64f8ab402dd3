// The service as it is shipped, in Production, with its log at `info` going to /dev/null.
import { randomBytes } from 'node:crypto'
import { type Child, freePort, healthy, startNode } from './child.ts'

export type Place = { readonly directory: string } | { readonly url: string }

export type Server = { readonly port: number; readonly child: Child }

export async function startService(place: Place): Promise<Server> {
  const port = await freePort()
  const child = startNode('server/start.mjs', ['serve'], { env: { ...environment(port), ...databaseOf(place) } })
  await healthy(port, 20)
  return { port, child }
}

const databaseOf = (place: Place): Record<string, string> =>
  'url' in place
    ? { Database__Url: place.url }
    : { Database__DataDirectory: place.directory, Database__AllowEmbedded: 'true' }

const environment = (port: number): Record<string, string> => ({
  Environment: 'Production',
  Http__Host: '127.0.0.1',
  Http__Port: String(port),
  Http__PublicUrl: 'https://tether.example.com',
  Encryption__Key: randomBytes(32).toString('base64'),
  Operator__ApiKey: randomBytes(32).toString('hex'),
  Signup__IpHashSalt: randomBytes(32).toString('hex'),
  // A bench is one client; it is counted like every other, but never refused.
  RateLimit__ControlPerMinute: '1000000',
})
