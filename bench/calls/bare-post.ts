// The signed request to the tenant's endpoint, by hand.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import type { CredentialRow } from '../../server/src/tenancy/access/queries.ts'

/** Of the pretend API, which does not look at it. */
export const API_CREDENTIAL = 'secret-of-the-pretend-api'

export type Posted = {
  readonly mode: 'read' | 'execute'
  readonly tool: string
  readonly given: unknown
  readonly requestId?: string
  readonly actionId?: string
}

export type Post = (credential: CredentialRow, posted: Posted) => Promise<Buffer>
/** The same to an imported API: a signed GET with its credential. */
export type Get = (credential: CredentialRow, address: string) => Promise<Buffer>

/** With the limits of the service: connections, the time for an answer, and its size. */
export function openCalls(secrets: Readonly<Record<string, string>>): { post: Post; get: Get } {
  const keys = new Map(Object.entries(secrets).map(([tenantId, secret]) => [Number(tenantId), keysOf(secret)]))
  const dispatcher = new Agent({
    connections: 32,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: 10_000,
    headersTimeout: 20_000,
    bodyTimeout: 20_000,
    maxResponseSize: 262_144,
    connect: { timeout: 5_000 },
  })
  const keysFor = (tenantId: number): Keys => {
    const own = keys.get(tenantId)
    if (own === undefined) throw new Error(`No secret of tenant ${tenantId} was given.`)
    return own
  }
  const send = async (address: string, method: 'GET' | 'POST', headers: Record<string, string>, body?: string) => {
    const all = { accept: 'application/json', 'accept-encoding': 'identity', ...headers }
    const answer = await request(address, { method, headers: all, body: body ?? null, dispatcher })
    if (answer.statusCode !== 200) throw new Error(`${address} answered ${answer.statusCode}.`)
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    JSON.parse(bytes.toString())
    return bytes
  }
  const get: Get = async ({ tenantId }, address) => {
    const id = `req_${randomBytes(12).toString('hex')}`
    const signature = { 'X-Service-Idempotency-Key': id, ...signed(keysFor(tenantId), id, '') }
    return await send(address, 'GET', { authorization: `Bearer ${API_CREDENTIAL}`, ...signature })
  }
  const post: Post = async ({ tenantId, endpointUrl }, { mode, tool, given = {}, requestId, actionId }) => {
    const id = requestId ?? `req_${randomBytes(12).toString('hex')}`
    const body = JSON.stringify({
      type: 'tool_call',
      request_id: id,
      mode,
      tool,
      arguments: given,
      is_write: mode === 'execute',
      tenant: { organization_id: tenantId, scope_id: null },
      user: { id: null, role: 'api' },
      customer: null,
      session_id: null,
      action_id: actionId ?? null,
      occurred_at: new Date().toISOString(),
    })
    const own = { 'X-Service-Idempotency-Key': id, ...signed(keysFor(tenantId), id, body) }
    return await send(endpointUrl ?? '', 'POST', { 'content-type': 'application/json', ...own }, body)
  }
  return { post, get }
}

type Keys = { readonly own: KeyObject; readonly standard: KeyObject }

const keysOf = (secret: string): Keys => ({
  own: createSecretKey(secret, 'utf8'),
  standard: createSecretKey(secret.slice('whsec_'.length), 'base64'),
})

function signed(keys: Keys, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const own = createHmac('sha256', keys.own).update(`${timestamp}.${body}`).digest('hex')
  const standard = createHmac('sha256', keys.standard).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'X-Service-Signature': `sha256=${own}`,
    'X-Service-Timestamp': timestamp,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  }
}
