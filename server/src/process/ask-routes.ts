import type { App } from '../app.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type DemoRequest = { readonly body?: unknown; readonly key?: string }
type DemoAnswer = { readonly status: number; readonly body: unknown }

export type Routes = {
  ask(method: Method, url: string, request?: DemoRequest): Promise<DemoAnswer>
  /** Throws unless the route succeeds. The caller vouches for `Body`, which the route declares. */
  must<Body>(method: Method, url: string, request?: DemoRequest): Promise<Body>
}

/** The demo does everything through the routes, so it can do nothing that an integrator could not. */
export function askRoutes({ server }: App): Routes {
  async function ask(method: Method, url: string, { body, key }: DemoRequest = {}): Promise<DemoAnswer> {
    const answer = await server.inject({
      method,
      url,
      headers: key === undefined ? {} : { 'x-api-key': key },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) }
  }
  return {
    ask,
    async must<Body>(method: Method, url: string, request: DemoRequest = {}) {
      const { status, body } = await ask(method, url, request)
      if (status >= 300) throw new Error(`The demo: ${method} ${url} answered ${status}: ${JSON.stringify(body)}`)
      return body as Body
    },
  }
}
