import { createHash } from 'node:crypto'
import type { Context } from '../../../tenancy/context/index.ts'
import { basic, type ClientCredential } from './credential.ts'

type Token = { readonly value: string; readonly isNew: boolean }
/** `again` is true where the issuer may give one in a moment. */
type NoToken = { readonly message: string; readonly again: boolean }

/** The tokens that client credentials are exchanged for. They are kept in memory alone. */
export type ClientTokens = {
  /** A token that is good for a while. Calls that need one at the same moment share the request for it. */
  tokenFor(ctx: Context, credential: ClientCredential, deadlineMs: number): Promise<Token | NoToken>
  /** The API no longer takes this token, so the next call asks for another. */
  discard(ctx: Context, credential: ClientCredential, token: string): void
}

type Kept = { readonly value: string; readonly renewAt: number }
type Issued = Kept | NoToken

const MOST_KEPT = 2_000
const MOST_BYTES = 65_536
/** Where an issuer does not say how long a token lives. */
const LIFETIME_SECONDS = 300

export function openClientTokens(): ClientTokens {
  const kept = new Map<string, Kept>()
  const asking = new Map<string, Promise<Issued>>()

  function keep(key: string, issued: Issued): void {
    if (!('value' in issued)) return
    kept.delete(key)
    const [oldest] = kept.keys()
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(key, issued)
  }

  function ask(key: string, ctx: Context, credential: ClientCredential, deadlineMs: number): Promise<Issued> {
    const running = asking.get(key)
    if (running !== undefined) return running
    const started = issue(ctx, credential, deadlineMs)
      .then((issued) => {
        keep(key, issued)
        return issued
      })
      .finally(() => asking.delete(key))
    asking.set(key, started)
    return started
  }

  return {
    async tokenFor(ctx, credential, deadlineMs) {
      const key = keyOf(ctx, credential)
      const known = kept.get(key)
      if (known !== undefined && ctx.clock.now() < known.renewAt) return { value: known.value, isNew: false }
      const issued = await ask(key, ctx, credential, deadlineMs)
      return 'value' in issued ? { value: issued.value, isNew: true } : issued
    },
    discard(ctx, credential, token) {
      const key = keyOf(ctx, credential)
      if (kept.get(key)?.value === token) kept.delete(key)
    },
  }
}

/** Another credential, or another tenant's, is another token. The key is a digest, so that no secret lies about in it. */
const keyOf = ({ asking: { tenantId } }: Context, credential: ClientCredential): string =>
  createHash('sha256')
    .update(JSON.stringify([tenantId, credential]))
    .digest('base64')

async function issue(ctx: Context, credential: ClientCredential, deadlineMs: number): Promise<Issued> {
  const { egress, settings, clock, asking } = ctx
  const askedAt = clock.now()
  const result = await egress.request({
    purpose: 'tool',
    share: asking.tenantId,
    url: credential.tokenUrl,
    method: 'POST',
    ...tokenRequest(credential),
    deadlineMs: Math.min(deadlineMs, settings.toolTransport.timeoutSeconds * 1000),
    maxBytes: MOST_BYTES,
    credentialed: true,
  })
  if (result.kind !== 'answer') {
    return { message: `No token came from the token address: ${result.message}`, again: result.kind !== 'refused' }
  }
  const { status, body } = result
  const said = readAnswer(body)
  if (status >= 200 && status < 300 && isToken(said.access_token)) {
    return { value: said.access_token, renewAt: renewAt(askedAt, said.expires_in) }
  }
  const code = typeof said.error === 'string' && /^[a-z_]{1,64}$/i.test(said.error) ? ` (${said.error})` : ''
  const again = status >= 500 || status === 408 || status === 429
  const what = status >= 200 && status < 300 ? 'an answer without a token that a header can hold' : `${status}${code}`
  return { message: `The token address answered ${what}.`, again }
}

function tokenRequest({ clientId, clientSecret, scope, audience, clientAuthentication = 'basic' }: ClientCredential) {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (scope !== undefined) form.set('scope', scope)
  if (audience !== undefined) form.set('audience', audience)
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  if (clientAuthentication === 'body') {
    form.set('client_id', clientId)
    form.set('client_secret', clientSecret)
  } else {
    // RFC 6749, 2.3.1: each is written as a form writes it, and then joined.
    headers.authorization = basic(formText(clientId), formText(clientSecret))
  }
  return { headers, body: form.toString() }
}

const formText = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

function readAnswer(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,8000}$/.test(value)

/** A minute before its end, or a tenth of its life if that is less. It is counted from when it was asked for. */
function renewAt(askedAt: number, expiresIn: unknown): number {
  const seconds = Number(expiresIn ?? LIFETIME_SECONDS)
  const lifetime = (Number.isFinite(seconds) ? Math.max(0, seconds) : LIFETIME_SECONDS) * 1000
  return askedAt + lifetime - Math.min(60_000, lifetime / 10)
}
