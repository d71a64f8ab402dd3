import { setImmediate } from 'node:timers/promises'
import type { ToolStatus } from '@tether/contract'
import { newId } from '../../kernel/ids/index.ts'
import type { Json, JsonObject } from '../../kernel/json/index.ts'
import { storableText } from '../../kernel/text/index.ts'
import { type Context, type House, type TenantAsking, userIdOf } from '../../tenancy/context/index.ts'
import type { Tool } from '../catalog/index.ts'
import { attemptOf, type MayBeNotFound, type MayBeProxied, type MayHaveMore } from './attempt.ts'
import { type CallLog, openCallLog } from './call-log.ts'
import { type Destination, destinationAt } from './destination.ts'
import { openApiTransport } from './direct/api-transport.ts'
import { openEndpointTransport } from './endpoint-transport.ts'
import { faultOfRequest, type Previewed, type RequestPreview, requestPreview } from './imported-request.ts'
import type { CallRow } from './queries.ts'
import type { ApiOf, OnBehalf, SendResult, ToolCall, Transport } from './transport.ts'
import { type WriteResult, writeResultOf } from './write-result.ts'

export type ReadInput = {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly surface: string
  readonly sessionId?: string | null
  /** For whom the read is made, where that is not the caller. */
  readonly onBehalf?: OnBehalf
  readonly onProgress?: ToolCall['onProgress'] | undefined
}

type ExecuteInput = Omit<ToolCall, 'mode' | 'requestId' | 'onProgress'> & { readonly idempotencyKey: string }

/** How a read ended, after as many attempts as it took. */
type ReadEnd = MayBeNotFound &
  (
    | ({ readonly status: 'ok'; readonly body: Buffer; readonly value: Json } & MayHaveMore & MayBeProxied)
    | {
        readonly status: Exclude<ToolStatus, 'ok'>
        readonly message: string
        /** How the last attempt ended, where the status itself says only that all of them failed. */
        readonly lastStatus: ToolStatus | null
      }
  )
export type ReadResult = ReadEnd & { readonly durationMs: number }

export type UnsentCall = {
  /** Only the name if the catalog has no such tool. */
  readonly tool: Tool | string
  readonly surface: string
  readonly status: Exclude<ToolStatus, 'ok'>
  readonly durationMs: number
}

export type Calls = {
  /** `signal` cancels it: nobody waits for the answer any longer. */
  read(ctx: Context, input: ReadInput, signal: AbortSignal): Promise<ReadResult>
  /** Sends a confirmed write, once. It has no signal: a write that has begun is seen through, even if its caller leaves. */
  execute(ctx: Context, input: ExecuteInput): Promise<WriteResult>
  /** Where a write of this tool is sent by now. */
  addressOf(ctx: Context, tool: Tool): Promise<string | null>
  /** Where a write with these arguments is sent by now. */
  destinationOf(ctx: Context, tool: Tool, given: JsonObject): Promise<Destination>
  /** Where it goes if its tool is reached at `base`. */
  destinationAt(tool: Tool, given: JsonObject, base: string | null): Destination
  /** What a write would send. Nothing is sent. */
  preview(ctx: Context, write: Previewed): Promise<RequestPreview | null>
  /** Why these arguments cannot be sent to the imported API. Null where they can, and for any other tool. */
  faultOf(ctx: Context, tool: Tool, given: JsonObject): Promise<string | null>
  /** Records telemetry of a call that was asked for and never sent. */
  note(ctx: Context, unsent: UnsentCall): void
  flush(): Promise<void>
}

// The wait between attempts is about half a second, doubles, and is never the same for two callers. A Retry-After is
// honoured up to the longest wait; an endpoint that asks for more is not tried again in this call.
const FIRST_WAIT = 400
const LONGEST_WAIT = 5_000

/** `apiOf` comes from the room that keeps imports, and `upstream` from the one that keeps MCP servers. */
export function openCalls(house: House, apiOf: ApiOf, upstream: Transport): Calls {
  const transportOf = openTransports(house, apiOf, upstream)
  const callLog = openCallLog(house)
  return {
    async read(ctx, input, signal) {
      const started = performance.now()
      const requestId = newId('req')
      const { end, httpStatus, attempts } = await tryRead(ctx, transportOf(input.tool), { input, requestId, signal })
      const durationMs = Math.round(performance.now() - started)
      const { tool, surface } = input
      record(callLog, ctx, { tool, surface, requestId, status: end.status, httpStatus, attempts, durationMs })
      return { ...end, durationMs }
    },
    async execute(ctx, { tool, arguments: given, idempotencyKey: requestId, ...rest }) {
      const started = performance.now()
      const call: ToolCall = { tool, arguments: given, mode: 'execute', requestId, ...rest }
      const sent = await transportOf(tool).send(ctx, call)
      const result = writeResultOf(sent, tool)
      const durationMs = Math.round(performance.now() - started)
      const attempts = sent.kind === 'not_ready' || sent.kind === 'unfit' ? 0 : 1
      const { status, httpStatus } = result
      record(callLog, ctx, { tool, surface: 'action', requestId, status, httpStatus, attempts, durationMs })
      return result
    },
    addressOf: (ctx, tool) => transportOf(tool).addressOf(ctx, tool),
    destinationOf: async (ctx, tool, given) => destinationAt(tool, given, await transportOf(tool).addressOf(ctx, tool)),
    destinationAt,
    faultOf: (ctx, tool, given) => faultOfRequest(ctx, apiOf, tool, given),
    preview: (ctx, write) => requestPreview(ctx, apiOf, write),
    note(ctx, { tool, ...unsent }) {
      const named = typeof tool === 'string' ? { name: storableText(tool.slice(0, 64)), domain: 'general' } : tool
      record(callLog, ctx, { tool: named, requestId: newId('req'), httpStatus: null, attempts: 0, ...unsent })
    },
    flush: callLog.flush,
  }
}

/** The caller's own scope, user and customer. */
export const onBehalfOf = ({ scopeId, actor, customer }: TenantAsking): OnBehalf => ({
  scopeId,
  userId: userIdOf(actor.userId),
  userRole: actor.role,
  customerId: customer?.id ?? null,
})

type Tried = { readonly end: ReadEnd; readonly httpStatus: number | null; readonly attempts: number }
type Trying = { readonly input: ReadInput; readonly requestId: string; readonly signal: AbortSignal }

async function tryRead(ctx: Context, transport: Transport, trying: Trying): Promise<Tried> {
  const { settings, clock } = ctx
  const { signal } = trying
  const most = settings.toolTransport.maxAttempts
  for (let attempts = 1; ; attempts++) {
    const sent = await transport.send(ctx, readCall(ctx, trying), signal)
    if (sent.kind === 'not_ready' || sent.kind === 'unfit') {
      const { message } = sent
      const status = sent.kind === 'unfit' ? 'failed' : sent.status
      return { end: { status, message, lastStatus: null }, httpStatus: null, attempts: attempts - 1 }
    }
    const attempt = attemptOf(sent, clock.now(), trying.input.tool)
    const { httpStatus, notFound } = attempt
    if (attempt.ok) {
      const { body, value, nextPage, proxied } = attempt
      // Reading it was one turn's work; what is made of it may be as much again.
      if (body.length > LARGE) await setImmediate()
      return { end: { status: 'ok', body, value, nextPage, proxied, notFound }, httpStatus, attempts }
    }
    const { status, message } = isOverdue(sent, signal) ? OVERDUE : attempt
    const givenUp = (why = ''): Tried => ({
      end: { status, message: `${message}${why}`, lastStatus: null, notFound },
      httpStatus,
      attempts,
    })
    if (!attempt.again || most === 1) return givenUp()
    if (attempts >= most) {
      const tried = `${message} Tried ${attempts} times.`
      return { end: { status: 'failed', message: tried, lastStatus: status }, httpStatus, attempts }
    }
    const wait = attempt.waitMs ?? jittered(attempts)
    if (wait > LONGEST_WAIT) return givenUp(` It asks for another try in ${Math.ceil(wait / 1000)} s: call again then.`)
    if (signal.aborted) return givenUp()
    await clock.wait(wait, signal).catch(() => {})
  }
}

const LARGE = 65_536

/** The caller's own time limit for the whole read has passed. */
const OVERDUE = { status: 'timeout', message: 'No answer came in the time that the caller allowed.' } as const

const isOverdue = (sent: SendResult, { aborted, reason }: AbortSignal): boolean =>
  aborted && 'cause' in sent && sent.cause === 'canceled' && (reason as Error | undefined)?.name === 'TimeoutError'

/** Full jitter: a crowd that failed together does not come back together. */
const jittered = (attempt: number): number => Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt)

const readCall = (ctx: Context, { input, requestId }: Trying): ToolCall => ({
  tool: input.tool,
  arguments: input.arguments,
  mode: 'read',
  requestId,
  onBehalf: input.onBehalf ?? onBehalfOf(ctx.asking),
  sessionId: input.sessionId ?? null,
  actionId: null,
  sentTo: null,
  onProgress: input.onProgress,
})

type Recorded = Omit<CallRow, 'tenantId' | 'at' | 'tool' | 'domain'> & { readonly tool: Pick<Tool, 'name' | 'domain'> }

function record(callLog: CallLog, { asking, clock }: Context, { tool, ...recorded }: Recorded): void {
  const at = { tenantId: asking.tenantId, at: new Date(clock.now()) }
  callLog.add({ ...at, ...recorded, tool: tool.name, domain: storableText(tool.domain) })
}

/** The one place that decides how a tool is reached. No tool falls back to another way: it would be sent what was meant for somebody else. */
function openTransports(
  house: Pick<House, 'keyring' | 'clock'>,
  apiOf: ApiOf,
  proxy: Transport,
): (tool: Tool) => Transport {
  const endpoint = openEndpointTransport(house)
  const api = openApiTransport(house, apiOf)
  return ({ http, upstream }) => (upstream ? proxy : http === null ? endpoint : api)
}
