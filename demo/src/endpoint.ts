// The shop's own server, as an integrator writes it. It checks the signature, runs each request id once, answers JSON.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifySignature } from '@tether/sdk'
import type { Given, Said, Shop } from './shop.ts'

export type ShopEndpoint = { readonly url: string; close(): Promise<void> }

type Call = {
  readonly tool: string
  readonly arguments: Given
  readonly request_id: string
  readonly is_write: boolean
  readonly customer: { readonly id: string } | null
}

const LONGEST_BODY = 1024 * 1024

export async function openEndpoint(shop: Shop, signingSecret: string): Promise<ShopEndpoint> {
  const performed = new Map<string, Said>()

  async function answer(request: IncomingMessage): Promise<Said> {
    const body = await bodyOf(request)
    const checked = await verifySignature({ secret: signingSecret, headers: request.headers, body })
    if (!checked.ok) return { status: 401, body: { message: checked.message } }
    const call = callIn(body.toString())
    if (call === undefined)
      return { status: 400, body: { message: 'The signature is valid, but the body is not a tool call.' } }
    const caller = { customerId: call.customer?.id ?? null }
    if (!call.is_write) return shop.call(call.tool, call.arguments, caller)
    // A write that is sent again, because its first answer was lost, gets the same answer and does not run again.
    const said = performed.get(call.request_id) ?? shop.call(call.tool, call.arguments, caller)
    performed.set(call.request_id, said)
    return said
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (said) => send(response, said),
      (error: Error) => send(response, { status: 400, body: { message: error.message } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server must not keep the process alive.
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A signed body may still be incomplete. Without a request id we could not recognise a repeated write. */
function callIn(text: string): Call | undefined {
  try {
    // The next line checks the members that we read.
    const call = JSON.parse(text) as Call
    const { tool, arguments: given, request_id: id } = call
    return typeof tool === 'string' && typeof id === 'string' && typeof given === 'object' && given !== null
      ? call
      : undefined
  } catch {
    return undefined
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > LONGEST_BODY) throw new Error('The body is larger than 1 MiB.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function send(response: ServerResponse, { status, body }: Said): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
