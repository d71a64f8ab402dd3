// The tenant's endpoint: it claims every idempotency key, as the documents ask, and counts what would have happened had it not.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One confirmed write that arrived whole. */
export type Arrival = {
  readonly actionId: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Which arrival of its key it is, from 1. */
  readonly turn: number
}

export type Act = {
  /** Whether the write is performed, and whether before or after the waiting. */
  readonly performs: 'no' | 'first' | 'last'
  readonly wait?: Promise<unknown>
  readonly answer: Reply | { readonly raw: Buffer } | 'hang up'
}
type Reply = { readonly status: number; readonly body: string | Buffer }
export type Play = (arrival: Arrival) => Act

/** What came under one idempotency key. */
export type Entry = {
  readonly actionId: string
  arrivals: number
  /** Effects of an endpoint that claims its keys. */
  performed: number
  /** Effects, had it performed whatever it was sent. */
  naive: number
  /** Arrivals that were answered with "not now, and nothing was done". */
  retryable: number
  inHand: boolean
  kept: string | Buffer
  /** What it said when it refused this: it says the same to whoever comes with this key again, and performs nothing. */
  refusal: Reply | undefined
}

export type Receiver = {
  readonly url: string
  entries(): Iterable<Entry>
  /** Under every key that this action was ever sent with. */
  entriesOf(actionId: string): readonly Entry[]
  arrivals(): number
  /** Another address of the same endpoint: the service opens so many connections to one. */
  another(): Promise<string>
  /** How all that comes from now on is treated. */
  play(play: Play): void
  close(): Promise<void>
}

export const done = (body: string | Buffer = '{"done":true}'): Act => ({
  performs: 'first',
  answer: { status: 200, body },
})

export async function openReceiver(first: Play = () => done()): Promise<Receiver> {
  const entries = new Map<string, Entry>()
  const byAction = new Map<string, Entry[]>()
  let play = first
  const entryOf = (requestId: string, actionId: string): Entry => {
    const known = entries.get(requestId)
    if (known !== undefined) return known
    const none = { arrivals: 0, performed: 0, naive: 0, retryable: 0, inHand: false, kept: '{"done":true}' } as const
    const entry: Entry = { actionId, ...none, refusal: undefined }
    entries.set(requestId, entry)
    byAction.set(actionId, [...(byAction.get(actionId) ?? []), entry])
    return entry
  }
  const servers: Server[] = []
  const another = async (): Promise<string> => {
    const server = createServer(async (request, response) => {
      // Events have a proof of their own.
      if (request.url === '/events') return void response.end()
      const call = await readCall(request)
      // A sender that was killed half-way has sent nothing.
      if (call === undefined) return
      if (call.mode === 'read') return void response.end('{"state":"done"}')
      const entry = entryOf(call.request_id, call.action_id)
      entry.arrivals++
      const act = play({ actionId: call.action_id, arguments: call.arguments, turn: entry.arrivals })
      reply(response, await perform(entry, act))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`
  }
  return {
    url: await another(),
    another,
    entries: () => entries.values(),
    entriesOf: (actionId) => byAction.get(actionId) ?? [],
    arrivals: () => entries.values().reduce((sum, entry) => sum + entry.arrivals, 0),
    play(next) {
      play = next
    },
    async close() {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

type Call = {
  readonly mode: 'read' | 'execute'
  readonly request_id: string
  readonly action_id: string
  readonly arguments: Record<string, unknown>
}

async function readCall(request: IncomingMessage): Promise<Call | undefined> {
  const pieces = await request.toArray().catch(() => undefined)
  if (pieces === undefined) return undefined
  if (request.url?.startsWith('/api/') === true) return callOfApi(request)
  // What the service writes is held by its own tests.
  return JSON.parse(Buffer.concat(pieces).toString()) as Call
}

/** An imported API is told of no action: the order stands in its path, and the key in a header. */
function callOfApi({ method, url = '', headers }: IncomingMessage): Call {
  const number = Number(url.split('/')[3])
  return {
    mode: method === 'GET' ? 'read' : 'execute',
    request_id: String(headers['idempotency-key']),
    action_id: `order ${number}`,
    arguments: { number },
  }
}

const IN_FLIGHT_BODY = '{"status":"in_flight"}'
const IN_FLIGHT: Act['answer'] = { status: 409, body: IN_FLIGHT_BODY }

async function perform(entry: Entry, { performs, wait, answer }: Act): Promise<Act['answer']> {
  if (entry.inHand || entry.performed > 0) {
    if (performs !== 'no') entry.naive++
    if (entry.inHand) return IN_FLIGHT
    await wait
    return replayed({ status: 200, body: entry.kept }, answer)
  }
  if (entry.refusal !== undefined) {
    if (performs !== 'no') entry.naive++
    await wait
    return replayed(entry.refusal, answer)
  }
  const effect = () => {
    entry.performed++
    entry.naive++
    if (isReply(answer) && answer.status < 300) entry.kept = answer.body
  }
  if (performs === 'first') effect()
  else entry.inHand = true
  await wait
  entry.inHand = false
  if (performs === 'last') effect()
  if (isReply(answer) && RETRYABLE.has(answer.status)) entry.retryable++
  else if (isReply(answer) && isRefusal(answer)) entry.refusal = answer
  return answer
}

const RETRYABLE = new Set([408, 429])
const isRefusal = ({ status, body }: Reply): boolean => status >= 400 && status < 500 && body !== IN_FLIGHT_BODY
const isReply = (answer: Act['answer']): answer is Reply => answer !== 'hang up' && 'status' in answer

/** What was decided is answered with what was answered then; only the line may fail again. */
function replayed(decided: Reply, answer: Act['answer']): Act['answer'] {
  return isReply(answer) && answer.status < 500 ? decided : answer
}

function reply(response: ServerResponse, answer: Act['answer']): void {
  if (answer === 'hang up') response.socket?.destroy()
  else if ('raw' in answer) response.socket?.end(answer.raw)
  else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
}
