// Development includes a pretend shop: a workspace, a server and a desk, all set up through the public routes.
import { CATALOG, openEndpoint, openShop } from '@tether/demo'
import { mintCustomerToken } from '@tether/sdk'
import type { App } from '../app.ts'
import type { Demo } from '../surfaces/demo/index.ts'
import { askRoutes } from './ask-routes.ts'
import { APPROVER, openDesk } from './demo-desk.ts'
import { demoWorkspace } from './demo-workspace.ts'

const SIGNED_IN = { customerId: 'nino', name: 'Nino' }

export async function openDemo(app: App, port: number): Promise<Demo> {
  const { settings, clock } = app.house
  const routes = askRoutes(app)
  const { must } = routes
  const { tenantId, apiKey: key, signingSecret, customerTokenKey } = await demoWorkspace(routes, settings)
  const shop = openShop()
  const endpoint = await openEndpoint(shop, signingSecret)
  const here = ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`)
  await must('PUT', '/v1/endpoint', { key, body: { url: endpoint.url } })
  await must('PUT', '/v1/tools', { key, body: CATALOG })
  await must('PUT', '/v1/users', { key, body: [APPROVER] })
  await must('PUT', '/v1/origins', { key, body: { origins: here } })
  const widget = await must<{ key: string }>('POST', '/v1/embed', { key })
  return {
    widgetKey: widget.key,
    endpoint: settings.http.publicUrl.replace(/:\d+$/, `:${port}`),
    products: () => shop.book().products,
    customerToken: () => mintCustomerToken({ key: customerTokenKey, tenantId, ...SIGNED_IN, lifetimeSeconds: 600 }),
    ...openDesk(routes, key, () => clock.now()),
  }
}
