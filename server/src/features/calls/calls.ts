import type { ToolStatus } from '@tether/contract'
import { newId } from '../../foundation/ids/index.ts'
import type { JsonObject } from '../../foundation/json/index.ts'
import type { Context, House } from '../../ground/context/index.ts'
import type { Tool } from '../catalog/index.ts'
import { type Attempt, judgeRead } from './attempt.ts'
import { type CallLog, openCallLog } from './call-log.ts'
import { type CallInput, type OnBehalf, onBehalfOf } from './envelope.ts'
import { type Executed, judgeWrite } from './judge-write.ts'
import { openSigner, type Signer } from './secrets.ts'
import { NOT_CONFIGURED, send, UNREADABLE } from './send.ts'

export type ReadInput = {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly surface: string
  readonly sessionId?: string | null
  /** Who it is for, where that is not the credential that asks now. */
  readonly onBehalf?: OnBehalf
}

export type ExecuteInput = {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly idempotencyKey: string
  readonly actionId: string
  readonly sessionId: string | null
  readonly onBehalf: OnBehalf
}

/** How a read ended, after as many attempts as it took. */
export type ReadOutcome = {
  readonly status: ToolStatus
  readonly attempt: Attempt | null
  readonly message: string | null
  /** How the last attempt ended, where the status itself says only that all of them failed. */
  readonly lastStatus: ToolStatus | null
  readonly durationMs: number
}

export type Calls = {
  read(ctx: Context, input: ReadInput, signal: AbortSignal): Promise<ReadOutcome>
  /** Sends a confirmed write, once. Nobody's leaving stops it: what has begun is seen to its end. */
  execute(ctx: Context, input: ExecuteInput): Promise<Executed>
  flush(): Promise<void>
}

// Between attempts: half a second or so, doubling, never the same for two callers. What an endpoint asks for with
// Retry-After is honoured up to the longest wait; an endpoint that wants more is not asked again in this call.
const FIRST_WAIT = 400
const LONGEST_WAIT = 5_000

export function openCalls(house: House): Calls {
  const signer = openSigner(house)
  const callLog = openCallLog(house)
  return {
    async read(ctx, input, signal) {
      const started = performance.now()
      const requestId = newId('req')
      const { outcome, attempts } = await tryRead(ctx, signer, { input, requestId, signal })
      const durationMs = Math.round(performance.now() - started)
      const { status, attempt } = outcome
      const ended = { status, httpStatus: attempt?.httpStatus ?? null }
      record(callLog, ctx, { input, requestId, outcome: ended, attempts, durationMs })
      return { ...outcome, durationMs }
    },
    async execute(ctx, { tool, arguments: given, idempotencyKey: requestId, ...rest }) {
      const started = performance.now()
      const sent = await send(ctx, signer, { tool, arguments: given, mode: 'execute', requestId, ...rest })
      const executed: Executed = sent.ok
        ? judgeWrite(sent.result)
        : {
            kind: 'retryable',
            status: sent.why === 'unreadable' ? 'failed' : sent.why,
            httpStatus: null,
            message: sent.why === 'unreadable' ? UNREADABLE : NOT_CONFIGURED,
          }
      const outcome = {
        status: executed.kind === 'executed' ? ('ok' as const) : executed.status,
        httpStatus: executed.httpStatus,
      }
      const durationMs = Math.round(performance.now() - started)
      record(callLog, ctx, {
        input: { tool, surface: 'action' },
        requestId,
        outcome,
        attempts: sent.ok ? 1 : 0,
        durationMs,
      })
      return executed
    },
    flush: callLog.flush,
  }
}

type Tried = { outcome: Omit<ReadOutcome, 'durationMs'>; attempts: number }
type Trying = { input: ReadInput; requestId: string; signal: AbortSignal }

const without = (status: ToolStatus, message: string, attempts = 0): Tried => ({
  outcome: { status, message, attempt: null, lastStatus: null },
  attempts,
})

async function tryRead(ctx: Context, signer: Signer, trying: Trying): Promise<Tried> {
  const { settings, clock } = ctx
  const most = settings.toolTransport.maxAttempts
  for (let attempts = 1; ; attempts++) {
    const sent = await send(ctx, signer, readCall(ctx, trying), trying.signal)
    if (!sent.ok) {
      const [status, message] =
        sent.why === 'unreadable' ? (['failed', UNREADABLE] as const) : ([sent.why, NOT_CONFIGURED] as const)
      return without(status, message, attempts - 1)
    }
    const attempt = judgeRead(sent.result, clock.now())
    if (attempt.ok) return { outcome: { status: 'ok', attempt, message: null, lastStatus: null }, attempts }
    const { status, message } = attempt
    const wait = attempt.waitMs ?? jittered(attempts)
    if (!attempt.again || most === 1) return { outcome: { status, attempt, message, lastStatus: null }, attempts }
    if (attempts >= most || wait > LONGEST_WAIT || trying.signal.aborted) {
      return { outcome: { status: 'failed', attempt, message: spent(message, attempts), lastStatus: status }, attempts }
    }
    await clock.wait(wait, trying.signal).catch(() => {})
  }
}

const spent = (message: string, attempts: number): string =>
  `${message} Tried ${attempts} ${attempts === 1 ? 'time' : 'times'}.`

/** Full jitter: a crowd that failed together does not come back together. */
const jittered = (attempt: number): number => Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt)

const readCall = (ctx: Context, { input, requestId }: Trying): CallInput => ({
  tool: input.tool,
  arguments: input.arguments,
  mode: 'read',
  requestId,
  onBehalf: input.onBehalf ?? onBehalfOf(ctx.asking),
  sessionId: input.sessionId ?? null,
  actionId: null,
})

type Recorded = {
  input: Pick<ReadInput, 'tool' | 'surface'>
  requestId: string
  outcome: { status: ToolStatus; httpStatus: number | null }
  attempts: number
  durationMs: number
}

function record(callLog: CallLog, ctx: Context, { input, requestId, outcome, attempts, durationMs }: Recorded): void {
  callLog.add({
    tenantId: ctx.asking.tenantId,
    at: new Date(ctx.clock.now()),
    requestId,
    tool: input.tool.name,
    domain: input.tool.domain,
    surface: input.surface,
    status: outcome.status,
    httpStatus: outcome.httpStatus,
    attempts,
    durationMs,
  })
}
