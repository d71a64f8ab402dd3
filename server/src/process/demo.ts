// Development brings a pretend shop along: a workspace made through the public routes as anybody would make one, the shop's own
// server, and its keys in a file beside the data, so that the next start finds the same workspace.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CATALOG, openEndpoint, openShop } from '@tether/demo'
import { mintCustomerToken } from '@tether/sdk'
import type { App } from '../app.ts'
import type { Demo } from '../surfaces/demo/index.ts'

type Kept = {
  readonly tenantId: number
  readonly apiKey: string
  readonly signingSecret: string
  readonly customerTokenKey: string
}

type Asked = { readonly body?: unknown; readonly key?: string; readonly headers?: Record<string, string> }
type Reply = { readonly status: number; readonly body: unknown }

const FILE = 'demo-workspace.json'
const APPROVER = { userId: 1, displayName: 'Ana · ანა', role: 'manager' }
const SIGNED_IN = { customerId: 'nino', name: 'Nino' }

/** Everything through the routes: what the demo cannot do, an integrator could not either. */
const asker =
  ({ server }: App) =>
  async (method: 'GET' | 'POST' | 'PUT', url: string, { body, key, headers = {} }: Asked = {}): Promise<Reply> => {
    const answer = await server.inject({
      method,
      url,
      headers: { ...headers, ...(key === undefined ? {} : { 'x-api-key': key }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) }
  }

export async function openDemo(app: App, port: number): Promise<Demo> {
  const ask = asker(app)
  const { http, database } = app.house.settings
  const must = async (method: 'GET' | 'POST' | 'PUT', url: string, asked: Asked): Promise<Record<string, unknown>> => {
    const { status, body } = await ask(method, url, asked)
    if (status >= 300) throw new Error(`The demo: ${method} ${url} answered ${status}: ${JSON.stringify(body)}`)
    return body as Record<string, unknown>
  }
  const file = path.join(database.dataDirectory, FILE)
  const kept = (await stillThere(file, ask)) ?? (await makeWorkspace(file, app, must))
  const key = kept.apiKey
  const shop = openShop()
  const endpoint = await openEndpoint(shop, kept.signingSecret)
  const here = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${port}`)
  await must('PUT', '/v1/endpoint', { key, body: { url: endpoint.url } })
  await must('PUT', '/v1/tools', { key, body: CATALOG })
  await must('PUT', '/v1/users', { key, body: [APPROVER] })
  await must('PUT', '/v1/origins', { key, body: { origins: here } })
  const widget = await must('POST', '/v1/embed', { key })
  return {
    widgetKey: String(widget.key),
    endpoint: http.publicUrl.replace(/:\d+$/, `:${port}`),
    products: () => shop.book().products,
    customerToken: () =>
      mintCustomerToken({ key: kept.customerTokenKey, tenantId: kept.tenantId, ...SIGNED_IN, lifetimeSeconds: 600 }),
    async desk() {
      const waiting = await must('GET', '/v1/actions?limit=50', { key })
      const { events } = await must('GET', '/v1/audit?limit=1000', { key })
      return { actions: waiting.actions, events: Array.isArray(events) ? events.slice(-20).reverse() : [] }
    },
    decide: (actionId, decision) =>
      ask('POST', `/v1/actions/${encodeURIComponent(actionId)}/${decision}`, {
        key,
        headers: { 'x-service-user-id': String(APPROVER.userId) },
        body: decision === 'confirm' ? { acknowledgeHighRisk: true } : { reason: 'Rejected at the desk' },
      }),
  }
}

/** The workspace of an earlier start, unless the database has begun anew since. */
async function stillThere(file: string, ask: ReturnType<typeof asker>): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept
    return (await ask('GET', '/v1/account', { key: kept.apiKey })).status === 200 ? kept : undefined
  } catch {
    return undefined
  }
}

type Must = (method: 'GET' | 'POST' | 'PUT', url: string, asked: Asked) => Promise<Record<string, unknown>>

async function makeWorkspace(file: string, app: App, must: Must): Promise<Kept> {
  const operator = app.house.settings.operator.apiKey
  const asked = { body: { name: 'Tea & Clay (demo)', plan: 'use_tether_ai' } }
  const made = await must('POST', '/v1/tenants', operator === undefined ? asked : { ...asked, key: operator })
  const key = String(made.apiKey)
  const issued = await must('POST', '/v1/account/customer-token-key', { key })
  const kept: Kept = {
    tenantId: Number(made.tenantId),
    apiKey: key,
    signingSecret: String(made.signingSecret),
    customerTokenKey: String(issued.customerTokenKey),
  }
  writeFileSync(file, `${JSON.stringify(kept)}\n`, { mode: 0o600 })
  return kept
}
