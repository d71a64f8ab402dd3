// Development includes a pretend shop: a workspace, a server, an imported API and somebody who decides, all set up through the
// public routes.
import type { Imported, UserList } from '@tether/contract'
import {
  CATALOG,
  openEndpoint,
  openShop,
  openWorkshop,
  WORKSHOP_DECLARATION,
  WORKSHOP_DOCUMENT,
  WORKSHOP_TOKEN,
} from '@tether/demo'
import { mintCustomerToken } from '@tether/sdk'
import type { z } from 'zod'
import type { Demo } from '../api/demo/index.ts'
import type { App } from '../app.ts'
import { signInToPrint } from '../writes/people/index.ts'
import { askRoutes, type Routes } from './ask-routes.ts'
import { demoWorkspace } from './demo-workspace.ts'

const SIGNED_IN = { customerId: 'nino', name: 'Nino' }
const APPROVER = { userId: 1, displayName: 'Ana · ანა', email: 'ana@tea-and-clay.example', role: 'manager' }

export type OpenDemo = Demo & {
  /** Signs the approver in to the inbox, once. Whoever started the service reads it on the screen, and no page shows it. */
  readonly signInLink: string
  /** The API of the second business. */
  readonly workshopUrl: string
}

/** The other way to bring tools: the document of an API, and what a person declares of it. docs/guides/import.md does the same by hand. */
async function importWorkshop({ must }: Routes, key: string, baseUrl: string): Promise<readonly unknown[]> {
  const { catalog } = await must<z.output<typeof Imported>>('POST', '/v1/tools/import', {
    key,
    body: {
      document: WORKSHOP_DOCUMENT,
      baseUrl,
      credential: WORKSHOP_TOKEN,
      operations: WORKSHOP_DECLARATION,
      skipUndeclared: true,
    },
  })
  return catalog
}

export async function openDemo(app: App, port: number): Promise<OpenDemo> {
  const { settings, log } = app.house
  const { publicUrl } = settings.http
  const routes = askRoutes(app)
  const { must } = routes
  const { tenantId, apiKey: key, signingSecret, customerTokenKey } = await demoWorkspace(routes, settings)
  const shop = openShop()
  const endpoint = await openEndpoint(shop, {
    signingSecret,
    onHandoff: ({ reason }) => log.info({ reason }, 'The demo shop: a visitor asks for a person.'),
  })
  const here = ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`)
  await must('PUT', '/v1/endpoint', { key, body: { url: endpoint.url } })
  const workshop = await openWorkshop()
  const imported = await importWorkshop(routes, key, workshop.url)
  await must('PUT', '/v1/tools', { key, body: [...CATALOG, ...imported] })
  await must('PUT', '/v1/users', { key, body: [APPROVER] })
  await must('PUT', '/v1/origins', { key, body: { origins: here } })
  const widget = await must<{ key: string }>('POST', '/v1/embed', { key })
  const { users } = await must<z.output<typeof UserList>>('GET', '/v1/users', { key })
  const approver = users.find(({ userId }) => userId === APPROVER.userId)
  if (approver === undefined) throw new Error('The demo: nobody of its workspace may decide.')
  const token = await signInToPrint(app.house, { tenantId, personId: approver.id })
  const url = publicUrl.replace(/:\d+$/, `:${port}`)
  const inboxUrl = settings.mail.inboxBaseUrl.replace(publicUrl, url)
  return {
    widgetKey: widget.key,
    url,
    inboxUrl,
    signInLink: `${inboxUrl}#signin=${token}`,
    workshopUrl: workshop.url,
    products: () => shop.book().products,
    customerToken: () => mintCustomerToken({ key: customerTokenKey, tenantId, ...SIGNED_IN, lifetimeSeconds: 600 }),
  }
}
