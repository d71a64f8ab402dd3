// What the service is held against: node:http and the driver, and of the service nothing but its two SQL texts. It does
// what `GET /v1/account` cannot do without: read the key, look it up, read the workspace, write the JSON.
import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { findTenant, type TenantRow } from '../../server/src/tenancy/tenants/queries.ts'
import { openEmbeddedPool } from './embedded-pool.ts'
import { type CredentialRow, findCredential } from './key-query.ts'

const [at, place = '', port] = process.argv.slice(2)
const pool = at === 'url' ? new pg.Pool({ connectionString: place, max: 10 }) : (await openEmbeddedPool(place)).pool

createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/health') return send(response, 200, { status: 'ok' })
  const key = request.headers['x-api-key']
  if (typeof key !== 'string') return send(response, 401, {})
  const credential = (await pool.query<CredentialRow>({ ...findCredential, values: [hash('sha256', key, 'buffer')] }))
    .rows[0]
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
