// How each framework hands over a request. None of them is imported: what is used of it is named here.
import { joined } from './bytes.ts'
import type { ReceivedHeaders } from './headers.ts'
import { json, type Reply } from './reply.ts'

type Answer = (request: {
  readonly headers: ReceivedHeaders
  readonly body: string | Uint8Array | ArrayBuffer
}) => Promise<Reply>

/** A request of `node:http`, of Express (also behind `express.raw()`), or of a platform that keeps a `rawBody`. */
export type NodeRequest = AsyncIterable<Uint8Array | string> & {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly readableEnded?: boolean
  readonly body?: unknown
  readonly rawBody?: unknown
}
export type NodeResponse = {
  destroy(): unknown
  writeHead(status: number, headers: Record<string, string>): unknown
  end(text?: string): unknown
}

/** A Fastify instance. Its methods have many forms, and which of them we use stands in `UsedScope`. */
export type FastifyScope = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser: (...given: never[]) => unknown
  post: (...given: never[]) => unknown
}
type UsedScope = {
  addContentTypeParser(
    type: '*',
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(path: string, handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
}
type FastifyRequest = { readonly headers: NodeRequest['headers']; readonly body: unknown }
type FastifyReply = {
  code(status: number): FastifyReply
  header(name: string, value: string): FastifyReply
  send(body: string): unknown
}
/** Fastify takes each of these forms; the tests mount the real one. */
const used = (scope: FastifyScope): UsedScope => scope as unknown as UsedScope

export type Doors = {
  /** Fetch-style: Hono (`(c) => tools.fetch(c.req.raw)`), Next (`export const POST = tools.fetch`), Deno, Bun, Workers. */
  readonly fetch: (request: Request) => Promise<Response>
  /** `createServer(tools.node)`, `app.post('/tools', tools.node)` in Express, `export default tools.node` in Next's `pages/api`. */
  readonly node: (request: NodeRequest, response: NodeResponse) => Promise<void>
  /** `app.register(tools.fastify, { prefix: '/tools' })`. */
  readonly fastify: (scope: FastifyScope) => Promise<void>
}

const LONGEST_BODY = 1024 * 1024
const JSON_TYPE = 'application/json; charset=utf-8'
const NOT_POST = json(405, { status: 'method_not_allowed', message: 'Calls and events are POSTs.' })
const TOO_LARGE = json(413, { status: 'too_large', message: 'The body is larger than 1 MiB.' })
const PARSED = json(500, {
  status: 'body_not_raw',
  message:
    'A parser has read the body, and a signature covers its exact bytes. Mount the receiver before express.json().',
})

export function openDoors(answer: Answer): Doors {
  return {
    async fetch(request) {
      const { status, body } = request.method === 'POST' ? await fetched(answer, request) : NOT_POST
      return new Response(body === '' ? null : body, {
        status,
        headers: body === '' ? {} : { 'content-type': JSON_TYPE },
      })
    },
    async node(request, response) {
      const said = request.method === 'POST' ? await received(answer, request) : NOT_POST
      // Whoever broke off in the middle of the body hears nothing, and harms nobody.
      if (said === undefined) return void response.destroy()
      const { status, body } = said
      response.writeHead(status, body === '' ? {} : { 'content-type': JSON_TYPE })
      response.end(body)
    },
    async fastify(scope) {
      scope.removeAllContentTypeParsers()
      const app = used(scope)
      app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LONGEST_BODY }, (_, body, done) => done(null, body))
      app.post('/', async ({ headers, body: given }, reply) => {
        const { status, body } = await answer({ headers, body: isBytes(given) ? given : '' })
        return reply.code(status).header('content-type', JSON_TYPE).send(body)
      })
    },
  }
}

async function fetched(answer: Answer, { headers, body }: Request): Promise<Reply> {
  if (Number(headers.get('content-length') ?? 0) > LONGEST_BODY) return TOO_LARGE
  const pieces: Uint8Array[] = []
  let length = 0
  // It is counted while it comes, because nothing has shown yet who sends it. Not every runtime can iterate over a stream.
  const reader = body?.getReader()
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    length += piece.value.length
    // The runtime knows what to do with the rest: whoever cancels it here may close the connection before the answer.
    if (length > LONGEST_BODY) return TOO_LARGE
    pieces.push(piece.value)
  }
  return await answer({ headers, body: joined(...pieces) })
}

async function received(answer: Answer, request: NodeRequest): Promise<Reply | undefined> {
  const { headers, body, rawBody } = request
  const raw = [rawBody, body].find((one) => typeof one === 'string' || isBytes(one))
  if (raw !== undefined) return await answer({ headers, body: raw as string | Uint8Array })
  if (typeof body === 'object' && body !== null && request.readableEnded === true) return PARSED
  const read = await bodyOf(request).catch(() => undefined)
  if (read === undefined) return undefined
  return read === null ? TOO_LARGE : await answer({ headers, body: read })
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

async function bodyOf(request: NodeRequest): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of request) {
    const bytes = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
    length += bytes.length
    // Read to its end, so that the answer is heard, but not kept.
    if (length <= LONGEST_BODY) pieces.push(bytes)
  }
  return length > LONGEST_BODY ? null : joined(...pieces)
}
