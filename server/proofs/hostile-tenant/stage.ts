// Where the cases play: workspaces of a service that runs, and a server of the tenant's own that answers as it is told.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Service } from '../rig/running-service.ts'

export type Workspace = {
  readonly apiKey: string
  /** The key of a provider, where the workspace is made one. */
  provider(): Promise<string>
  /** Asks as the workspace's own server, and expects to succeed. */
  ask<Body = unknown>(method: string, path: string, body?: unknown): Promise<Body>
}

export type Stage = {
  /** A new workspace with this catalog and an endpoint that answers each tool with the text that `answer` set. */
  workspace(catalog?: readonly object[]): Promise<Workspace>
  /** Asks with this key, and expects to succeed. */
  ask<Body = unknown>(key: string, method: string, path: string, body?: unknown): Promise<Body>
  /** What the endpoint of every workspace answers to the tool of this name. */
  answer(tool: string, json: string): void
  /** The address of a page with this HTML. */
  page(html: string): string
  close(): Promise<void>
}

type Made = { readonly apiKey: string; readonly tenantId: number }
type Given = { readonly key: string }

export async function openStage(service: Service, operatorKey: string): Promise<Stage> {
  const pages: string[] = []
  const answers = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const page = pages[Number(request.url?.slice(1))]
    if (page !== undefined) return response.setHeader('content-type', 'text/html').end(page)
    return response.setHeader('content-type', 'application/json').end(answers.get(await toolIn(request)) ?? '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function asked<Body>(key: string, method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await service.ask(method, path, { key, ...(body === undefined ? {} : { body }) })
    if (answer.status === 200) return answer.body as Body
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`)
  }

  return {
    async workspace(catalog = []) {
      const name = 'Hostile Ltd'
      const { apiKey, tenantId } = await asked<Made>(operatorKey, 'POST', '/v1/tenants', { name })
      await asked(apiKey, 'PUT', '/v1/endpoint', { url: `${origin}/endpoint` })
      if (catalog.length > 0) await asked(apiKey, 'PUT', '/v1/tools', catalog)
      return {
        apiKey,
        ask: (method, path, body) => asked(apiKey, method, path, body),
        provider: async () => (await asked<Given>(operatorKey, 'POST', `/v1/tenants/${tenantId}/provider`, {})).key,
      }
    },
    ask: asked,
    answer: (tool, json) => void answers.set(tool, json),
    page: (html) => `${origin}/${pages.push(html) - 1}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What a signed call asks for; nothing of it is checked here. */
async function toolIn(request: IncomingMessage): Promise<string> {
  const { tool } = JSON.parse((await text(request)) || '{}') as { tool?: string }
  return tool ?? ''
}
