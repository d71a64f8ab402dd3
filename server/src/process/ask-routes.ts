import type { App } from '../app.ts'
import { parseJson } from '../foundation/json/index.ts'

type Method = 'GET' | 'POST' | 'PUT'
type Asked = { readonly body?: unknown; readonly key?: string; readonly headers?: Record<string, string> }
type Reply = { readonly status: number; readonly body: unknown }

export type Routes = {
  ask(method: Method, url: string, asked?: Asked): Promise<Reply>
  /** `Body` is the caller's claim, and what the route declares. Anything but a success is thrown. */
  must<Body>(method: Method, url: string, asked?: Asked): Promise<Body>
}

/** Everything through the routes: what the demo cannot do, an integrator could not either. */
export function askRoutes({ server }: App): Routes {
  async function ask(method: Method, url: string, { body, key, headers = {} }: Asked = {}): Promise<Reply> {
    const answer = await server.inject({
      method,
      url,
      headers: { ...headers, ...(key === undefined ? {} : { 'x-api-key': key }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    // Numbers stay as they were written: the desk shows what would run, and not what a double makes of it.
    return { status: answer.statusCode, body: answer.body === '' ? null : parseJson(answer.body) }
  }
  return {
    ask,
    async must<Body>(method: Method, url: string, asked: Asked = {}) {
      const { status, body } = await ask(method, url, asked)
      if (status >= 300) throw new Error(`The demo: ${method} ${url} answered ${status}: ${JSON.stringify(body)}`)
      return body as Body
    },
  }
}
