import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { SecretUnreadable, type SignatureHeaders } from '../../kernel/crypto/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { newId } from '../../kernel/ids/index.ts'
import type { Context, Wiring } from '../../tenancy/context/index.ts'
import { noTenant, type Signer, setEndpointUrl } from '../../tenancy/tenants/index.ts'
import { attemptOf } from './attempt.ts'
import { NOT_CONFIGURED, post } from './endpoint-transport.ts'
import { testEnvelopeOf } from './envelope.ts'
import type { Answered } from './transport.ts'

type EndpointView = { configured: boolean; url: string | null; signingSecretIssued: boolean }

export function readEndpoint({ asking }: Context): EndpointView {
  const { endpointUrl, sealedSigningSecret } = asking.wiring
  return { configured: endpointUrl !== null, url: endpointUrl, signingSecretIssued: sealedSigningSecret !== null }
}

/** An address that the guard refuses is refused now, not at the first call. A name that DNS does not know yet is accepted. */
export async function setEndpoint(ctx: Context, given: string | null): Promise<EndpointView> {
  const url = await allowed(ctx, given?.trim() || null)
  if ((await setEndpointUrl(ctx, ctx.asking.tenantId, url)) === 0) throw noTenant()
  return { configured: url !== null, url, signingSecretIssued: ctx.asking.wiring.sealedSigningSecret !== null }
}

async function allowed({ egress }: Context, url: string | null): Promise<string | null> {
  if (url === null) return null
  const checked = await egress.checkAddress(url, { noun: 'Endpoint', purpose: 'tool' })
  if (checked.ok) return checked.url
  if (checked.reason === 'unresolved') return checked.url
  throw refuse('invalid_endpoint', checked.message)
}

type Tested = z.output<typeof contract.EndpointTest>
type Verdict = Pick<Tested, 'ok' | 'status' | 'message' | 'signature'>

const UNKNOWN = 'unknown' as const

/**
 * Sends one signed request that no tool answers to, and shows both sides in full: whoever builds an endpoint sees what it
 * was sent, what it answered, and why it may have refused the signature.
 */
export async function testEndpoint(ctx: Context, sign: Signer): Promise<Tested> {
  const url = ctx.asking.wiring.endpointUrl
  if (url === null) {
    const { status, message } = NOT_CONFIGURED
    const nothing = { signature: UNKNOWN, signatureHints: [], request: null, answer: null, durationMs: 0 }
    return { ok: false, status, message, ...nothing }
  }
  const requestId = newId('req')
  const body = testEnvelopeOf(ctx.asking, requestId, ctx.clock.now())
  const signature = signedOrRefused(ctx, sign, requestId, body)
  const started = performance.now()
  const sent = await post(ctx, { url, body, signature, requestId, mode: 'read' })
  const durationMs = Math.round(performance.now() - started)
  const answer = sent.kind === 'answered' ? sent : null
  const now = ctx.clock.now()
  const verdict = verdictOf(attemptOf(sent, now), answer)
  const hints =
    verdict.signature === 'accepted' || answer === null
      ? []
      : signatureHints({ answer, wiring: ctx.asking.wiring, now })
  return {
    ...verdict,
    signatureHints: hints,
    request: { method: 'POST', url, requestId, headers: { ...signature }, body },
    answer: answer === null ? null : shown(answer),
    durationMs,
  }
}

export function signedOrRefused({ asking }: Context, sign: Signer, requestId: string, body: string): SignatureHeaders {
  const { tenantId, wiring } = asking
  try {
    return sign({ tenantId, ...wiring }, requestId, body)
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw refuse(
      'secret_unreadable',
      'The stored signing secret could not be decrypted, so nothing was sent. The operator must restore the encryption key.',
    )
  }
}

type Ending = Readonly<{ ok: true } | { ok?: false; status: Tested['status']; message: string }>

function verdictOf(ending: Ending, answer: Answered | null): Verdict {
  if (ending.ok === true) {
    const message = `The endpoint answered ${answer?.status} to a signed request.`
    return { ok: true, status: 'ok', message, signature: 'accepted' }
  }
  const { status, message } = ending
  if (answer === null) return { ok: false, status, message, signature: UNKNOWN }
  if (answer.status === 401 || answer.status === 403) {
    const refused = `The endpoint answered ${answer.status}, so it did not accept the signature. signatureHints says what to look at.`
    return { ok: false, status, message: refused, signature: 'refused' }
  }
  const unclear = `${message} If it only says that it does not know the tool "test.ping", nothing is wrong. Answer 2xx to the type "endpoint_test" to be sure.`
  return { ok: false, status, message: unclear, signature: UNKNOWN }
}

const shown = ({ status, headers, body }: Answered) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')])),
  body: body.toString('utf8'),
})

const TOLERANCE_MS = 300_000

type Refused = { readonly answer: Answered; readonly wiring: Wiring; readonly now: number }

/** Why an endpoint may have refused a signature, what we can see of it first. */
function signatureHints({ answer, wiring, now }: Refused): string[] {
  return [
    ...clockHint(answer, now),
    ...(wiring.sealedPreviousSecret === null
      ? []
      : [
          'The signing secret was rotated in the last 24 hours. X-Service-Signature is made with the new one; only webhook-signature also carries one made with the old.',
        ]),
    'Does the endpoint have this workspace’s signing secret, whole, with its whsec_? Sign-up shows it once; POST /v1/account/signing-secret/rotate makes a new one.',
    'Is the signature checked over the exact bytes that arrived? A body that was parsed and serialised again no longer matches.',
    'Do all headers arrive? A proxy may drop X-Service-Signature, X-Service-Timestamp or the webhook- headers.',
    'Is the text that is signed "{timestamp}.{body}" for X-Service-Signature, keyed with the secret’s text, and "{id}.{timestamp}.{body}" for webhook-signature, keyed with the bytes that the base64 after whsec_ stands for?',
  ]
}

function clockHint({ headers }: Answered, now: number): string[] {
  const there = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN
  if (Number.isNaN(there) || Math.abs(there - now) <= TOLERANCE_MS) return []
  const [theirs, ours] = [there, now].map((time) => new Date(time).toISOString())
  return [
    `The endpoint’s clock says ${theirs} and ours says ${ours}. A receiver refuses a signature that is more than 300 seconds old or ahead: set the endpoint’s clock.`,
  ]
}
