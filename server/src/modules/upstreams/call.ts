import type { CallToolResult } from '@modelcontextprotocol/client'
import { fitsSchema, isObject, type Json, type JsonObject, prepareSchema } from '../../kernel/json/index.ts'
import { storableText } from '../../kernel/text/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Redact, SendResult, ToolCall, Transport } from '../../tools/calls/index.ts'
import { bindingOf, type DeclaredTool, readMoved, readTools } from './declared-tool.ts'
import { LOOK_IS_GOOD_MS } from './limits.ts'
import { lookTogether } from './looks.ts'
import { credentialOf, openServer, type Session } from './open-server.ts'
import { type LookEnd, nothingSent } from './opened.ts'
import { findUpstream, type UpstreamRow } from './queries.ts'
import type { KnownServers } from './reaching.ts'
import { redactedResult } from './redacted.ts'
import { answeredBy, failedBy, notReady } from './send-result.ts'

/** Under this name in `_meta`, a write carries its action’s key, always the same one. A server that knows it performs a write once. */
const IDEMPOTENCY_KEY = 'tether/idempotencyKey'

/** A tool of an MCP server: one call, sent once, after a look whether it is still the tool that was declared. */
export const upstreamTransport = (servers: KnownServers): Transport => ({
  addressOf: async (ctx, tool) => (await upstreamOf(ctx, tool))?.url ?? null,
  async send(context, call, signal) {
    const ctx = { ...context, servers }
    const { tool, mode } = call
    const row = await upstreamOf(ctx, tool)
    const declared = row === undefined ? undefined : readTools(row.tools).find((one) => one.entry.name === tool.name)
    if (row === undefined || declared === undefined) return NOT_REGISTERED
    // The claim was made for the address as it was. Another one has no claim of the write's key.
    if (mode === 'execute' && row.url !== call.sentTo) return elsewhere(row)
    const credential = credentialOf(ctx, row)
    if (credential === undefined)
      return notReady(
        `The stored credential of "${row.name}" does not open, so nothing was called. The business sends it again with PUT /v1/upstreams/${row.name}.`,
      )
    if (Object.hasOwn(readMoved(row.moved), declared.tool)) return moved(row, declared)
    const { timeoutSeconds, maxResponseBytes: callBytes } = ctx.settings.toolTransport
    const until = performance.now() + timeoutSeconds * 1000
    const over = AbortSignal.any([
      AbortSignal.timeout(timeoutSeconds * 1000),
      ...(signal === undefined ? [] : [signal]),
    ])
    if (mode === 'execute' || !isKnown(ctx, row)) {
      const looking = { row, credential, deadlineMs: timeoutSeconds * 1000, fresh: mode === 'execute' }
      const looked = await orGivenUp(lookTogether(ctx, looking), over)
      if (!looked.ok) return failedBy(looked, signal)
      if (Object.hasOwn(looked.value, declared.tool)) return moved(row, declared)
    }
    const opening = {
      deadlineMs: Math.max(1, until - performance.now()),
      callBytes,
      ...(signal === undefined ? {} : { signal }),
    }
    const opened = await openServer(ctx, { url: row.url, credential }, opening, async (session) => {
      const result = await callTool(session, call, declared)
      return answeredBy(redactedResult(result, session.redact), mode, fits(declared, result))
    })
    return opened.ok ? opened.value : failedBy(opened, signal)
  },
})

/** Whether somebody looked, and found it, a short while ago. */
const isKnown = ({ clock }: Context, { fault, checkedAt }: UpstreamRow): boolean =>
  fault === null && clock.now() - checkedAt.getTime() < LOOK_IS_GOOD_MS

/** Whoever waits for a look that others wait for, too, waits no longer than for one of their own. */
async function orGivenUp(looking: Promise<LookEnd>, over: AbortSignal): Promise<LookEnd> {
  const { promise, resolve } = Promise.withResolvers<LookEnd>()
  const giveUp = () =>
    resolve({ ok: false, error: over.reason, message: 'The server did not answer in time.', tracked: nothingSent() })
  if (over.aborted) giveUp()
  over.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([looking, promise])
  } finally {
    over.removeEventListener('abort', giveUp)
  }
}

async function upstreamOf(ctx: Context, { raw }: ToolCall['tool']): Promise<UpstreamRow | undefined> {
  const binding = bindingOf(raw)
  if (binding === null) return undefined
  return await ctx.db.one(findUpstream, { tenantId: ctx.asking.tenantId, name: binding.server })
}

const NOT_REGISTERED = {
  kind: 'not_ready',
  status: 'not_configured',
  message:
    'The MCP server of this tool is not registered, so nothing was called. The business registers it with PUT /v1/upstreams/{name}.',
} as const

const elsewhere = ({ name }: UpstreamRow): SendResult =>
  notReady(
    `The MCP server "${name}" was declared at another address while this was being decided, so nothing was called.`,
  )

const moved = ({ name }: UpstreamRow, { tool }: DeclaredTool): SendResult =>
  notReady(
    `The MCP server "${name}" has changed its tool "${tool}" since it was declared, or no longer has it, so nothing was called. The business looks at it with GET /v1/upstreams/${name}, then declares it again.`,
  )

async function callTool(
  { client, options, redact }: Session,
  call: ToolCall,
  { tool, remote }: DeclaredTool,
): Promise<CallToolResult> {
  const { arguments: given, mode, requestId, onProgress } = call
  const meta = mode === 'execute' ? { _meta: { [IDEMPOTENCY_KEY]: requestId } } : {}
  return await client.callTool(
    { name: tool, arguments: given, ...meta },
    {
      ...options,
      // What the client needs for its headers, as it was declared. Without it, it would list the tools, and call again.
      toolDefinition: { name: tool, inputSchema: objectSchema(remote.inputSchema) },
      ...(onProgress === undefined ? {} : { onprogress: heardBy(onProgress, redact) }),
    },
  )
}

type Heard = { readonly progress: number; readonly total?: number | undefined; readonly message?: string | undefined }

/** How far a call has come, and nothing else that its server may say beside it. */
const heardBy =
  (onProgress: NonNullable<ToolCall['onProgress']>, redact: Redact) =>
  ({ progress, total, message }: Heard): void =>
    onProgress({
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: storableText(redact.text(message)) }),
    })

/** The cast is true because the protocol knows no other arguments than an object's. */
const objectSchema = (schema: JsonObject) => ({ ...schema, type: 'object' }) as { type: 'object' }

/** Whether a server keeps to the schema of its own answers. Where it gave none, anything does. */
function fits({ remote }: DeclaredTool, { structuredContent }: CallToolResult): boolean {
  if (remote.outputSchema === null) return true
  const prepared = prepareSchema(remote.outputSchema)
  return prepared.ok && isJson(structuredContent) && fitsSchema(prepared.prepared, structuredContent).ok
}

const isJson = (value: unknown): value is Json =>
  value !== undefined && (value === null || typeof value !== 'object' || Array.isArray(value) || isObject(value))
