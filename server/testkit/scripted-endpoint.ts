import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Seen = {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Record<string, unknown>
}
export type Script = (request: Seen, response: ServerResponse, turn: number) => void

/** A tenant's server that answers as the test scripts it, and remembers what it saw. */
export class ScriptedEndpoint {
  #seen: Seen[] = []
  #script: Script = (_request, response) => void response.end('{}')
  readonly #server: Server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const seen = { headers: request.headers, text, body: JSON.parse(text) }
    this.#seen.push(seen)
    this.#script(seen, response, this.#seen.length)
  })

  /** The address; started by the first who asks. */
  async start(): Promise<string> {
    if (!this.#server.listening) await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/tools`
  }

  /** Answers by this script from now on, and gives the list of what comes. */
  play(script: Script): readonly Seen[] {
    this.#seen = []
    this.#script = script
    return this.#seen
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
