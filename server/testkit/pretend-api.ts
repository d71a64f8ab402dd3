// An API that a business has had for years, and that knows nothing of us: it answers as a test scripts it, remembers the
// requests as they came, and keeps the books of what it performed under which Idempotency-Key.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ApiCall = {
  readonly method: string
  /** As it stood in the request line. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly text: string
  /** The body where it is JSON, else null. */
  readonly json: unknown
}
export type ApiScript = (call: ApiCall, response: ServerResponse, turn: number) => void

const ISSUES: ApiScript = (_call, response, turn) =>
  answer(response, 200, { access_token: `token-number-${turn}`, expires_in: 3600 })

export class PretendApi {
  #seen: ApiCall[] = []
  #tokenRequests: ApiCall[] = []
  #script: ApiScript = (_call, response) => void response.end('{}')
  #issue = ISSUES
  readonly #server: Server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const { method = '', url = '', headers, rawHeaders } = request
    const call = { method, target: url, headers, rawHeaders, text, json: parsed(text) }
    const [seen, script] = url === '/token' ? [this.#tokenRequests, this.#issue] : [this.#seen, this.#script]
    seen.push(call)
    script(call, response, seen.length)
  })

  /** The base address; started by the first who asks. */
  async start(): Promise<string> {
    if (!this.#server.listening) await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Answers by this script from now on, and gives the list of what comes. */
  play(script: ApiScript): readonly ApiCall[] {
    this.#seen = []
    this.#script = script
    return this.#seen
  }

  /** Answers every call alike. */
  answering(status: number, body: unknown = {}, headers: Record<string, string> = {}): readonly ApiCall[] {
    return this.play((_call, response) => answer(response, status, body, headers))
  }

  /** Its issuer of tokens, at `/token`, answers by this script; unless told, it issues one that lives an hour. */
  issuing(script: ApiScript = ISSUES): readonly ApiCall[] {
    this.#tokenRequests = []
    this.#issue = script
    return this.#tokenRequests
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** JSON, unless it is a text, which goes out as it is. */
export function answer(
  response: ServerResponse,
  status: number,
  body: unknown = {},
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
