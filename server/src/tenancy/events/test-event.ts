import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import type { EgressResult } from '../../kernel/egress/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { newId } from '../../kernel/ids/index.ts'
import type { Context } from '../context/index.ts'
import { noTenant, type Signer } from '../tenants/index.ts'
import { attemptResultOf, NO_DESTINATION } from './attempt-result.ts'
import { deliveryOf } from './deliveries.ts'
import { destinationOf } from './destination.ts'
import { envelopeOf } from './envelope.ts'
import { recordAttempt, type WiringRow } from './queries.ts'
import { post } from './send.ts'
import { wiringOf } from './webhook.ts'

type Tested = z.output<typeof contract.TestDelivery>

const SHOWN_CHARACTERS = 2_000

/** Sends one signed `test.ping` at once to where events go now, and never retries it. */
export async function sendTest(ctx: Context, sign: Signer): Promise<Tested> {
  const { db, asking, clock } = ctx
  const wiring = await wiringOf(ctx)
  const destination = destinationOf(wiring)
  const attemptedAt = new Date(clock.now())
  const eventId = newId('evt')
  const result =
    destination === null ? null : await ping(ctx, sign, { wiring, url: destination.url, eventId, attemptedAt })
  const { delivered, statusCode, error, durationMs } = result === null ? NO_DESTINATION : attemptResultOf(result)
  const row = await db.one(recordAttempt, {
    tenantId: asking.tenantId,
    eventId,
    event: 'test.ping',
    url: destination?.url ?? null,
    destination: destination?.source ?? null,
    delivered,
    statusCode,
    error,
    durationMs,
    attemptedAt,
  })
  if (row === undefined) throw noTenant()
  return { delivery: deliveryOf(row), answer: result?.kind === 'answer' ? receiverAnswer(result) : null }
}

type Ping = { readonly wiring: WiringRow; readonly url: string; readonly eventId: string; readonly attemptedAt: Date }

async function ping(ctx: Context, sign: Signer, { wiring, url, eventId, attemptedAt }: Ping): Promise<EgressResult> {
  const { tenantId, scopeId } = ctx.asking
  const ids = { tenantId, eventId, scopeId, event: 'test.ping', actionId: null, sessionId: null, tool: null }
  const body = envelopeOf({ ...ids, occurredAt: attemptedAt, fields: '{}' })
  try {
    return await post(ctx, sign, { ...wiring, tenantId, url, eventId, attempt: 1, body })
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw refuse(
      'secret_unreadable',
      'The stored signing secret could not be decrypted, so nothing was sent. The operator must restore the encryption key.',
    )
  }
}

const receiverAnswer = ({ status, body }: { status: number; body: Buffer }) => ({
  status,
  body: body.toString('utf8').slice(0, SHOWN_CHARACTERS),
})
