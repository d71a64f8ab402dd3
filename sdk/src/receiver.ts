import { type Call, type Listing, readReceived } from './call.ts'
import type { ToolSpec } from './catalog.ts'
import type { Claims } from './claims.ts'
import { type Doors, openDoors } from './doors.ts'
import type { ReceivedHeaders } from './headers.ts'
import { listClaims } from './list-claims.ts'
import { memoryClaims } from './memory-claims.ts'
import { BROKEN, type Performing, performOnce, run } from './perform.ts'
import { json, later, notFound, type Reply, TryLater } from './reply.ts'
import { EMPTY, type EventTools, takeEvent } from './take-event.ts'
import type { AnyTools, ReadTool, SomeTool, ToolsOf } from './tools.ts'
import { faultOfSecrets, verifySignature } from './verify-signature.ts'

type Options<Tools, Transaction> = {
  /** The signing secret, `whsec_…`, or the new and the old one while you rotate it. */
  readonly secret: string | undefined | readonly (string | undefined)[]
  /** Your functions, by the names of the tools. */
  readonly tools: Tools
  /** Where idempotency keys are claimed. Without it they are kept in memory, and a restart forgets them. */
  readonly claims?: Claims<Transaction>
  /** What you do when something happened, by the name of the event; `any` is for all that have no function of their own. */
  readonly events?: EventTools
  /** Longer than the slowest write takes: then a claim without an answer counts as left. The default is 60. */
  readonly leaseSeconds?: number
  /**
   * Whether the operator of the service may ask which writes were claimed, with a call that is signed like any other: after a
   * database that lost its last transactions (`npm run recover`). It is told keys, tools, statuses and times. The default is false.
   */
  readonly listsClaims?: boolean
  /** Told of whatever a tool throws that is no answer. The default writes it to the console. */
  readonly onError?: (error: unknown) => void
}

export type ReceiverOptions<Catalog extends readonly ToolSpec[], Transaction> = Options<
  ToolsOf<Catalog, Transaction>,
  Transaction
> & {
  /** The tools as you register them (`PUT /v1/tools`): it types their arguments, and none of them may be forgotten. */
  readonly catalog: Catalog
}

/** A request as it came: any header object, and the body before a parser has read it. */
export type RawRequest = { readonly headers: ReceivedHeaders; readonly body: string | Uint8Array | ArrayBuffer }

export type Receiver = Doors & {
  /** For whatever framework is not named here: what to answer to a POST. A body that is not empty is JSON. */
  answer(request: RawRequest): Promise<Reply>
  /**
   * Writes down what became of a write whose claim was left without an answer, after a person has found out: the next reconcile gets
   * it. False where there is no such claim.
   */
  settle(requestId: string, reply: { readonly status: number; readonly result: unknown }): Promise<boolean>
}

/** Receives signed calls and events, and runs each write once. */
export function receiver<const Catalog extends readonly ToolSpec[], Transaction = never>(
  options: ReceiverOptions<Catalog, Transaction>,
): Receiver
export function receiver<Transaction = never>(options: Options<AnyTools<Transaction>, Transaction>): Receiver
export function receiver(
  options: Options<Readonly<Record<string, SomeTool>>, unknown> & { readonly catalog?: readonly ToolSpec[] },
): Receiver {
  const { secret, catalog, events = {}, leaseSeconds = 60, listsClaims = false, onError = tellConsole } = options
  const claims: Claims<unknown> = options.claims ?? memoryClaims()
  const tools = checkedTools(options.tools, catalog, claims)
  const writes = new Set((catalog ?? []).flatMap(({ name, is_write }) => (is_write === true ? [name] : [])))
  const secrets = typeof secret === 'string' || secret === undefined ? [secret] : secret
  const wrong = faultOfSecrets(secrets)
  if (wrong !== undefined) throw new TypeError(wrong)
  if (listsClaims && claims.list === undefined)
    throw new TypeError(
      'These claims cannot be listed: use postgresClaims or sqliteClaims, or leave "listsClaims" out.',
    )
  const performing: Performing = { claims, leaseMs: leaseSeconds * 1000, failed: telling(onError) }

  const listed = async (listing: Listing): Promise<Reply> => {
    try {
      return await listClaims(claims, listing, listsClaims)
    } catch (error) {
      performing.failed(error)
      return BROKEN
    }
  }
  const answer = async ({ headers, body }: RawRequest): Promise<Reply> => {
    const signature = await verifySignature({ secrets, headers, body })
    if (!signature.ok) return json(401, { status: signature.reason, message: signature.message })
    const received = readReceived(typeof body === 'string' ? body : new TextDecoder().decode(body))
    if (received === null)
      return json(400, { status: 'invalid', message: 'It is signed, but is no tool call and no event.' })
    if (received.kind === 'test') return EMPTY
    if (received.kind === 'listing') return await listed(received.listing)
    if (received.kind === 'event') return await takeEvent(events, received.event, performing)
    const { call } = received
    const tool = tools.get(call.tool)
    if (tool === undefined) return missing(call.tool)
    if (call.is_write) return await performOnce(tool, call, performing)
    return typeof tool !== 'function' || writes.has(call.tool)
      ? notRead(call.tool)
      : await read(tool, call, performing.failed)
  }
  return {
    answer,
    settle: (requestId, { status, result }) =>
      claims.answer(requestId, null, { status, body: JSON.stringify(result) ?? '' }),
    ...openDoors(answer),
  }
}

/** Registered, and not here: no read can be answered, and of a write it is certain that nothing was done. */
const missing = (tool: string): Reply =>
  json(421, { status: 'unknown_tool', message: `There is no tool "${tool}" here.` })

/** What is known here to write runs under its claim or not at all, whatever a body says of it. */
const notRead = (tool: string): Reply =>
  json(421, {
    status: 'not_a_read',
    message: `"${tool}" is a write here, and was called as a read. Register it as one.`,
  })

/** Whoever is told must not be the end of an answer. */
const telling =
  (told: (error: unknown) => void) =>
  (error: unknown): void => {
    try {
      told(error)
    } catch (fault) {
      tellConsole(fault)
    }
  }

const tellConsole = (error: unknown): void => console.error('A tool failed:', error)

function checkedTools(
  tools: Readonly<Record<string, SomeTool>>,
  catalog: readonly ToolSpec[] | undefined,
  claims: Claims<unknown>,
): ReadonlyMap<string, SomeTool> {
  const lacking = (catalog ?? []).filter(({ name }) => !Object.hasOwn(tools, name)).map(({ name }) => name)
  if (lacking.length > 0) throw new TypeError(`The catalog has tools that "tools" lacks: ${lacking.join(', ')}.`)
  for (const [name, tool] of Object.entries(tools)) {
    if (typeof tool === 'function' || !('transaction' in tool)) continue
    if (claims.transaction === undefined)
      throw new TypeError(`"${name}" needs a transaction: use postgresClaims or sqliteClaims, or make it a function.`)
    if (claims.synchronous === true && tool.transaction.constructor.name === 'AsyncFunction')
      throw new TypeError(`"${name}" must not be async: SQLite has one connection, which others would use meanwhile.`)
  }
  return new Map(Object.entries(tools))
}

async function read(tool: ReadTool, call: Call, failed: (error: unknown) => void): Promise<Reply> {
  try {
    return await run(async () => (await tool(call)) ?? notFound())
  } catch (error) {
    if (error instanceof TryLater) return later(error.message)
    failed(error)
    return BROKEN
  }
}
