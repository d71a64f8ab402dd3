// The signed request to the tenant's endpoint, by hand.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import type { CredentialRow } from '../../server/src/ground/access/queries.ts'

export type Posted = {
  readonly mode: 'read' | 'execute'
  readonly tool: string
  readonly given: unknown
  readonly requestId?: string
  readonly actionId?: string
}

export type Post = (credential: CredentialRow, posted: Posted) => Promise<Buffer>

/** With the limits of the service: connections, the time for an answer, and its size. */
export function openPost(secrets: Readonly<Record<string, string>>): Post {
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
  return async ({ tenantId, endpointUrl }, { mode, tool, given = {}, requestId, actionId }) => {
    const own = keys.get(tenantId)
    if (own === undefined) throw new Error(`No secret of tenant ${tenantId} was given.`)
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
    const answer = await request(endpointUrl ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'identity',
        'X-Service-Idempotency-Key': id,
        ...signed(own, id, body),
      },
      body,
      dispatcher,
    })
    if (answer.statusCode !== 200) throw new Error(`The endpoint answered ${answer.statusCode}.`)
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    JSON.parse(bytes.toString())
    return bytes
  }
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
