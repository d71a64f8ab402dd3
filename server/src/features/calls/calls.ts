import type { ToolStatus } from '@tether/contract'
import { SecretUnreadable } from '../../foundation/crypto/index.ts'
import type { EgressResult } from '../../foundation/egress/index.ts'
import { newId } from '../../foundation/ids/index.ts'
import type { JsonObject } from '../../foundation/json/index.ts'
import type { Context, House } from '../../ground/context/index.ts'
import type { Tool } from '../catalog/index.ts'
import { type Attempt, judgeRead } from './attempt.ts'
import { type CallLog, openCallLog } from './call-log.ts'
import { type CallInput, envelopeOf } from './envelope.ts'
import { openSigner, type Signer } from './secrets.ts'

export type ReadInput = {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly surface: string
  readonly sessionId?: string | null
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
      record(callLog, ctx, { input, requestId, outcome, attempts, durationMs })
      return { ...outcome, durationMs }
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
  const url = ctx.asking.wiring.endpointUrl
  if (url === null || trying.input.tool.http !== null || trying.input.tool.upstream)
    return without('not_configured', NOT_CONFIGURED)
  const most = settings.toolTransport.maxAttempts
  for (let attempts = 1; ; attempts++) {
    const attempt = await attemptRead(ctx, signer, url, trying)
    if (attempt === 'unreadable') return without('failed', UNREADABLE, attempts - 1)
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

const NOT_CONFIGURED =
  'No tool endpoint is configured, so nothing was called. The business sets one with PUT /v1/endpoint {"url": "https://…"}.'
const UNREADABLE =
  'The stored secret could not be decrypted, so nothing was called. The operator must restore the encryption key.'

const spent = (message: string, attempts: number): string =>
  `${message} Tried ${attempts} ${attempts === 1 ? 'time' : 'times'}.`

/** Full jitter: a crowd that failed together does not come back together. */
const jittered = (attempt: number): number => Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt)

async function attemptRead(ctx: Context, signer: Signer, url: string, { input, requestId, signal }: Trying) {
  const { clock } = ctx
  const call: CallInput = {
    tool: input.tool,
    arguments: input.arguments,
    mode: 'read',
    requestId,
    sessionId: input.sessionId ?? null,
    actionId: null,
  }
  try {
    return judgeRead(await send(ctx, signer, url, call, signal), clock.now())
  } catch (error) {
    if (error instanceof SecretUnreadable) return 'unreadable' as const
    throw error
  }
}

/** One signed request. Redirects are off: what is signed for one address is for no other. */
function send(ctx: Context, signer: Signer, url: string, call: CallInput, signal: AbortSignal): Promise<EgressResult> {
  const { asking, clock, egress, settings } = ctx
  const body = envelopeOf(asking, call, clock.now())
  return egress.request({
    purpose: 'tool',
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'X-Service-Idempotency-Key': call.requestId,
      ...signer(asking, call.requestId, body),
    },
    body,
    deadlineMs: settings.toolTransport.timeoutSeconds * 1000,
    maxBytes: settings.toolTransport.maxResponseBytes,
    credentialed: true,
    signal,
  })
}

type Recorded = { input: ReadInput; requestId: string; outcome: Tried['outcome']; attempts: number; durationMs: number }

function record(callLog: CallLog, ctx: Context, { input, requestId, outcome, attempts, durationMs }: Recorded): void {
  callLog.add({
    tenantId: ctx.asking.tenantId,
    at: new Date(ctx.clock.now()),
    requestId,
    tool: input.tool.name,
    domain: input.tool.domain,
    surface: input.surface,
    status: outcome.status,
    httpStatus: outcome.attempt?.httpStatus ?? null,
    attempts,
    durationMs,
  })
}
