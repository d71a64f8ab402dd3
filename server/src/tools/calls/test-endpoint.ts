import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { SecretUnreadable, type SignatureHeaders } from '../../kernel/crypto/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { newId } from '../../kernel/ids/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Signer } from '../../tenancy/tenants/index.ts'
import { attemptOf } from './attempt.ts'
import { NOT_CONFIGURED, post } from './endpoint-transport.ts'
import { testEnvelopeOf } from './envelope.ts'
import { signatureHints } from './signature-hints.ts'
import type { Answered } from './transport.ts'

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
