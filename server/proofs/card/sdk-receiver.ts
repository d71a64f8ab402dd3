// The card's endpoint with the SDK's receiver in place of the test's own: it alone decides what is performed, and the test keeps the books.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Claims, type Reply, receiver, refused, type Receiver as Tools, tryLater } from '@tether/sdk'
import { type Act, done, type Entry, type Play, type Receiver } from './receiver.ts'
import type { Shop } from './shop.ts'

/** Where an effect is counted: in the transaction of its claim, or in the books of this process. */
export type Effects = {
  readonly claims: Claims<unknown>
  /** Only where the effect belongs to the transaction. */
  readonly inTransaction?: (transaction: unknown, requestId: string) => Promise<void>
}

export type SdkReceiver = Receiver & {
  /** Calls of this shop are signed with its secret. */
  admit(shop: Shop): void
  /** Counted by whoever holds the effects. */
  recount(performed: ReadonlyMap<string, number>): void
}

/** What one arrival meets. */
type Arriving = { readonly entry: Entry; readonly act: Act }
type Given = { readonly request_id: string }

/** One write of the shop, which plays what its arrival meets. */
function refundTool(now: () => Arriving, inTransaction: Effects['inTransaction']) {
  const perform = async (effect: (entry: Entry) => Promise<void>): Promise<unknown> => {
    const { entry, act } = now()
    if (act.performs === 'no') throw refusalOf(act, entry)
    if (act.performs === 'first') await effect(entry)
    await act.wait
    if (act.performs === 'last') await effect(entry)
    // It breaks after the effect, and half of the time inside of the tool.
    if (isBroken(act) && entry.arrivals % 2 === 1) throw new Error('broken after the effect')
    return { done: true }
  }
  const counted = async (entry: Entry) => {
    entry.performed++
  }
  return inTransaction
    ? {
        transaction: (call: Given, transaction: unknown) =>
          perform(() => inTransaction(transaction, call.request_id)).catch((error: unknown) => {
            // Rolled back, and the answer says that nothing was applied.
            if (!isSaid(error)) now().entry.retryable++
            throw error
          }),
      }
    : {
        perform: () => perform(counted),
        recover: async () => {
          if (now().entry.performed === 0) throw new Error('nothing was performed, so nothing could be left')
          return { done: true }
        },
      }
}

export async function openSdkReceiver(first: Play, { claims, inTransaction }: Effects): Promise<SdkReceiver> {
  const entries = new Map<string, Entry>()
  const shops = new Map<number, Tools>()
  const arriving = new AsyncLocalStorage<Arriving>()
  let play = first
  const now = (): Arriving => arriving.getStore() ?? { entry: bookOf(''), act: done() }

  const tool = refundTool(now, inTransaction)
  const server = createServer(async (request, response) => {
    if (request.url === '/events') return void response.end()
    const pieces = await request.toArray().catch(() => undefined)
    if (pieces === undefined) return
    const body = Buffer.concat(pieces)
    const call = JSON.parse(body.toString()) as Call
    const tools = shops.get(call.tenant.organization_id)
    if (tools === undefined) throw new Error('a call of nobody’s')
    const ask = () => tools.answer({ headers: request.headers, body })
    if (call.mode === 'read') return send(response, await ask())
    const entry = entryOf(entries, call)
    entry.arrivals++
    const act = play({ actionId: call.action_id, arguments: call.arguments, turn: entry.arrivals })
    if (act.performs !== 'no') entry.naive++
    // What breaks before anything is done breaks outside of the receiver.
    if (act.performs === 'no' && isBroken(act)) {
      await act.wait
      return fail(response, act)
    }
    const said = await arriving.run({ entry, act }, ask)
    if (isBroken(act)) fail(response, act)
    else send(response, said)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`
  return {
    url,
    another: async () => url,
    entries: () => entries.values(),
    entriesOf: (actionId) => [...entries.values()].filter((entry) => entry.actionId === actionId),
    arrivals: () => entries.values().reduce((sum, entry) => sum + entry.arrivals, 0),
    play(next) {
      play = next
    },
    admit({ tenantId, signingSecret }) {
      const writes = { refund_order: tool, refund_verified: tool, refund_soon: tool }
      const tools = { get_order: () => ({ state: 'done' }), ...writes }
      shops.set(
        tenantId,
        receiver<unknown>({
          secret: signingSecret,
          claims,
          tools,
          listsClaims: claims.list !== undefined,
          leaseSeconds: 30,
          onError: () => undefined,
        }),
      )
    },
    recount(performed) {
      for (const [requestId, entry] of entries) entry.performed = performed.get(requestId) ?? 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Call = {
  readonly mode: 'read' | 'execute'
  readonly request_id: string
  readonly action_id: string
  readonly arguments: Record<string, unknown>
  readonly tenant: { readonly organization_id: number }
}

const bookOf = (actionId: string): Entry => ({
  ...{ actionId, arrivals: 0, performed: 0, naive: 0, retryable: 0 },
  ...{ inHand: false, kept: '', refusal: undefined },
})

function entryOf(entries: Map<string, Entry>, { request_id, action_id }: Call): Entry {
  const known = entries.get(request_id) ?? bookOf(action_id)
  entries.set(request_id, known)
  return known
}

const isBroken = ({ answer }: Act): boolean => answer === 'hang up' || 'raw' in answer || answer.status >= 500
const isSaid = (error: unknown): boolean => error instanceof Error && ['Refusal', 'TryLater'].includes(error.name)

function refusalOf({ answer }: Act, entry: Entry): Error {
  const status = answer !== 'hang up' && 'status' in answer ? answer.status : 400
  if (status !== 408 && status !== 429) return refused('Not this one.', status === 409 ? 'conflict' : 'invalid')
  entry.retryable++
  return tryLater()
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

function fail(response: ServerResponse, { answer }: Act): void {
  if (answer === 'hang up') response.socket?.destroy()
  else if ('raw' in answer) response.socket?.end(answer.raw)
  else response.writeHead(answer.status).end(answer.body)
}
