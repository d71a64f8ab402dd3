import { SecretUnreadable, type SignatureHeaders } from '../../../kernel/crypto/index.ts'
import { member, setMember } from '../../../kernel/json/index.ts'
import type { Context, House } from '../../../tenancy/context/index.ts'
import { openSigner } from '../../../tenancy/tenants/index.ts'
import { urlOf } from '../destination.ts'
import {
  type ApiOf,
  type CalledWith,
  type ImportedApi,
  resultOverHttp,
  type SendResult,
  type ToolCall,
  type Transport,
} from '../transport.ts'
import { type ClientTokens, openClientTokens } from './client-tokens.ts'
import { bearer, type ClientCredential, type Proof, proofOf, proven, secretsOf } from './credential.ts'
import { faultBesideCredential, faultOfReplaced } from './member-names.ts'
import { type Redact, redactorOf } from './redact.ts'
import { type ApiRequest, requestOf } from './request-of.ts'

type NotReady = Extract<SendResult, { kind: 'not_ready' }>

const NOTHING_IMPORTED: NotReady = {
  kind: 'not_ready',
  status: 'not_configured',
  message:
    'No API is imported, so nothing was called. The business imports its OpenAPI document with POST /v1/tools/import.',
}
/** The claim was made for the address as it was. Another one has no claim of the write's key. */
const MOVED: NotReady = {
  kind: 'not_ready',
  status: 'failed',
  message: 'The API was imported at another address while this was being decided, so nothing was called.',
}
const SECRET_UNREADABLE: NotReady = {
  kind: 'not_ready',
  status: 'failed',
  message:
    'The stored secret could not be decrypted, so nothing was called. The operator must restore the encryption key.',
}
const TOKEN_REQUIRED: NotReady = {
  kind: 'not_ready',
  status: 'user_token_required',
  message:
    'This API is called only with the signed-in person’s own token, and the request carried none, so nothing was called. Send it as X-Service-Upstream-Token.',
}

/** A tool of an imported API: one request to it, as its document says. */
export function openApiTransport(house: Pick<House, 'keyring' | 'clock'>, apiOf: ApiOf): Transport {
  const sign = openSigner(house)
  const tokens = openClientTokens()

  async function send(ctx: Context, call: ToolCall, signal?: AbortSignal): Promise<SendResult> {
    const { http, parameters } = call.tool
    const api = http === null ? null : await apiOf(ctx)
    if (http === null || api === null) return NOTHING_IMPORTED
    if (call.mode === 'execute' && call.sentTo !== api.baseUrl) return MOVED
    const made = requestOf({ http, parameters }, call.arguments)
    if (!made.ok) return { kind: 'unfit', message: `${made.fault} Nothing was sent.` }
    const fault =
      api.credential === null
        ? null
        : (faultBesideCredential(made.added, api.credential) ??
          (call.mode === 'execute' ? faultOfReplaced(made.request, api.credential) : null))
    if (fault !== null) return { kind: 'unfit', message: `${fault} Nothing was sent.` }
    const calledWith = calledWithOf(ctx, api)
    if (calledWith === null) return TOKEN_REQUIRED
    const body = made.request.body?.content ?? ''
    const signature = sign({ tenantId: ctx.asking.tenantId, ...ctx.asking.wiring }, call.requestId, body)
    return await sendAs(ctx, { call, api, request: made.request, signature, tokens }, calledWith, signal)
  }

  return {
    addressOf: async ({ asking }) => asking.wiring.apiUrl,
    async send(ctx, call, signal) {
      try {
        return await send(ctx, call, signal)
      } catch (error) {
        if (error instanceof SecretUnreadable) return SECRET_UNREADABLE
        throw error
      }
    },
  }
}

/** Null where the API wants a person's token and the request brought none. */
function calledWithOf(
  { asking: { upstreamToken } }: Context,
  { userToken, credential }: ImportedApi,
): CalledWith | null {
  if (userToken !== 'ignore' && upstreamToken !== null) return 'person'
  if (userToken === 'require') return null
  return credential === null ? 'none' : 'stored'
}

type Sending = {
  readonly call: ToolCall
  readonly api: ImportedApi
  readonly request: ApiRequest
  readonly signature: SignatureHeaders
  readonly tokens: ClientTokens
}

async function sendAs(
  ctx: Context,
  sending: Sending,
  calledWith: CalledWith,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  const { asking, settings } = ctx
  const { api } = sending
  const ends = performance.now() + settings.toolTransport.timeoutSeconds * 1000
  const stored = calledWith === 'stored' && api.credential !== null ? proofOf(api.credential) : null
  if (stored !== null && 'scheme' in stored) return await sendWithToken(ctx, sending, stored, ends, signal)
  const proof = calledWith === 'person' && asking.upstreamToken !== null ? bearer(asking.upstreamToken) : stored
  return await sendOnce(ctx, sending, { proof, calledWith, secrets: [] }, ends, signal)
}

/** A token that the API no longer takes is renewed. A read is then sent again; a write never is. */
async function sendWithToken(
  ctx: Context,
  sending: Sending,
  credential: ClientCredential,
  ends: number,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  const { tokens, call } = sending
  for (;;) {
    const token = await tokens.tokenFor(ctx, credential, ends - performance.now())
    if (!('value' in token)) return noToken(token)
    const proof = bearer(token.value)
    const result = await sendOnce(ctx, sending, { proof, calledWith: 'stored', secrets: [token.value] }, ends, signal)
    if (result.kind !== 'answered' || result.status !== 401) return result
    tokens.discard(ctx, credential, token.value)
    if (call.mode === 'execute' || token.isNew) return result
  }
}

const noToken = ({ message, again }: { readonly message: string; readonly again: boolean }): SendResult =>
  again
    ? { kind: 'not_sent', cause: 'unreachable', status: null, message }
    : {
        kind: 'not_ready',
        status: 'failed',
        message: `${message} Nothing was called. Import the API again with a credential that its issuer takes.`,
      }

type With = { readonly proof: Proof | null; readonly calledWith: CalledWith; readonly secrets: readonly string[] }

/** Redirects are not followed: what is signed, and proves who is calling, is meant for this address and for no other. */
async function sendOnce(
  ctx: Context,
  { call, api, request, signature }: Sending,
  { proof, calledWith, secrets }: With,
  ends: number,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  const { egress, settings, asking } = ctx
  const { method, path, query, body, ...sent } = proven(request, proof)
  const result = await egress.request({
    purpose: 'tool',
    share: asking.tenantId,
    url: urlOf(api.baseUrl, { path, query }),
    // The base address, what the arguments make, and a credential that stands in the query.
    longestUrl: LONGEST_URL,
    method,
    headers: headersOf(call, { ...sent, body }, signature),
    ...(body === null ? {} : { body: body.content }),
    deadlineMs: Math.max(1, ends - performance.now()),
    maxBytes: settings.toolTransport.maxResponseBytes,
    credentialed: true,
    // A write caught by a closing connection would be indeterminate, so it takes a connection that was just used, or a new one.
    ...(call.mode === 'execute' ? { maxIdleMs: 1000 } : {}),
    ...(signal === undefined ? {} : { signal }),
  })
  const known = [...secrets, ...(api.credential === null ? [] : secretsOf(api.credential)), asking.upstreamToken ?? '']
  return reported(resultOverHttp(result), calledWith, redactorOf(known))
}

export function headersOf(
  { mode, requestId, onBehalf }: Pick<ToolCall, 'mode' | 'requestId' | 'onBehalf'>,
  { headers, cookies, body }: Pick<ApiRequest, 'headers' | 'cookies' | 'body'>,
  signature: SignatureHeaders,
): Record<string, string> {
  const all: Record<string, string> = { accept: 'application/json' }
  for (const [name, value] of headers) {
    // Names have no case, and the one that the binding or the credential brings counts.
    for (const other of Object.keys(all)) if (other.toLowerCase() === name.toLowerCase()) delete all[other]
    setMember(all, name, value)
  }
  if (cookies.length > 0) all.cookie = cookies.join('; ')
  if (body !== null) all['content-type'] = body.contentType
  if (mode === 'execute') all['Idempotency-Key'] = requestId
  if (onBehalf.customerId !== null) all['X-Service-Customer-Id'] = inBytes(onBehalf.customerId)
  return { ...all, 'X-Service-Idempotency-Key': requestId, ...signature }
}

const LONGEST_URL = 24 * 1024

/** A header is bytes: those of UTF-8. */
const inBytes = (text: string): string => Buffer.from(text).toString('latin1')

/** Of the headers, only what somebody here reads. Nothing of an answer repeats what proved who called. */
const READ = ['content-type', 'date', 'link', 'retry-after']

function reported(result: SendResult, calledWith: CalledWith, redact: Redact): SendResult {
  if (result.kind !== 'answered') return result
  const headers = Object.fromEntries(
    READ.flatMap((name) => {
      const value = member(result.headers, name)
      return value === undefined ? [] : [[name, redact.text([value].flat().join(', '))]]
    }),
  )
  return { ...result, headers, body: redact.body(result.body), api: { calledWith } }
}
