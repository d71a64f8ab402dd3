// What the service is held against: node:http and the driver, and of the service nothing but its two SQL texts. It does
// what `GET /v1/account` cannot do without: read the key, look it up, read the workspace, write the JSON.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import pg from 'pg'
import { Engine } from '../../server/src/foundation/db/embedded/engine.ts'
import { type CredentialRow, findCredential } from '../../server/src/ground/access/queries.ts'
import { findTenant, type TenantRow } from '../../server/src/ground/tenants/queries.ts'

const [at, place = '', port] = process.argv.slice(2)
const pool = at === 'url' ? new pg.Pool({ connectionString: place, max: 10 }) : await embeddedPool(place)

createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/health') return send(response, 200, { status: 'ok' })
  const key = request.headers['x-api-key']
  if (typeof key !== 'string') return send(response, 401, {})
  const hash = createHash('sha256').update(key).digest()
  const credential = (await pool.query<CredentialRow>({ ...findCredential, values: [hash] })).rows[0]
  if (credential === undefined) return send(response, 401, {})
  const tenant = (await pool.query<TenantRow>({ ...findTenant, values: [credential.tenantId] })).rows[0]
  if (tenant === undefined) return send(response, 404, {})
  send(response, 200, {
    tenantId: tenant.tenantId,
    name: tenant.name,
    plan: tenant.plan,
    selfServe: tenant.selfServe,
    emailConfirmed: tenant.emailConfirmedAt !== null,
    customerTokenKeyIssued: tenant.customerTokenKeyIssued,
    createdAt: tenant.createdAt.toISOString(),
  })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** The embedded engine with the driver straight on it, past the port that the service goes through. */
async function embeddedPool(directory: string): Promise<pg.Pool> {
  const engine = new Engine({
    cluster: path.join(directory, 'database/cluster'),
    snapshot: undefined,
    statementTimeoutMs: 30_000,
    warn: (message) => process.stderr.write(`${message}\n`),
  })
  await engine.ready
  return new pg.Pool({
    max: 1,
    idleTimeoutMillis: 0,
    user: 'postgres',
    password: '',
    database: 'postgres',
    ssl: false,
    stream: () => engine.connect(),
  })
}
