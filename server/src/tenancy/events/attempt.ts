import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import type { House } from '../context/index.ts'
import { waitAfter } from '../jobs/index.ts'
import type { Signer } from '../tenants/index.ts'
import { type AttemptResult, attemptResultOf, NO_DESTINATION } from './attempt-result.ts'
import { destinationOf } from './destination.ts'
import { envelopeOf } from './envelope.ts'
import { sealedBodies } from './queries.ts'
import type { ClaimRow, Settlement } from './queue-queries.ts'
import { post } from './send.ts'

export type Claimed = ClaimRow & { readonly outboxId: number }
type SendingHouse = Pick<House, 'egress' | 'settings' | 'clock' | 'keyring' | 'log'> & {
  readonly sign: Signer
  readonly random: () => number
}

/** Gives an event back unsent. */
export const giveBack = ({ tenantId, outboxId }: Claimed, waitSeconds: number, attemptedAt: string): Settlement => ({
  tenantId,
  outboxId,
  tried: false,
  waitSeconds,
  url: null,
  destination: null,
  delivered: false,
  statusCode: null,
  error: null,
  durationMs: 0,
  attemptedAt,
  sealedBody: null,
})

/** Sends one event once and returns how to settle it. */
export async function attempt(parts: SendingHouse, row: Claimed): Promise<Settlement> {
  const { settings, clock, keyring, log, random } = parts
  const attemptedAt = new Date(clock.now()).toISOString()
  const destination = destinationOf(row)
  try {
    const body =
      row.sealedBody === null
        ? envelopeOf(row)
        : keyring.open(row.sealedBody, sealedBodies.place(row.tenantId, row.eventId))
    const result = destination === null ? NO_DESTINATION : await sendTo(parts, row, destination.url, body)
    const { delivered, final, ...ending } = result
    const waitSeconds = delivered || final ? null : waitAfter(row.tries + 1, settings.events, random())
    const isGivenUp = !delivered && waitSeconds === null
    return {
      ...giveBack(row, 0, attemptedAt),
      ...ending,
      tried: true,
      waitSeconds,
      delivered,
      url: destination?.url ?? null,
      destination: destination?.source ?? null,
      sealedBody: isGivenUp ? keyring.seal(body, sealedBodies.place(row.tenantId, row.eventId)) : null,
    }
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    // This is not the fault of the receiver or the event, so the event waits until the operator has restored the key.
    log.error(
      { tenantId: row.tenantId, error },
      'An event waits because a stored secret does not open. Restore the encryption key.',
    )
    return giveBack(row, settings.events.longestWaitSeconds, attemptedAt)
  }
}

async function sendTo(parts: SendingHouse, row: Claimed, url: string, body: string): Promise<AttemptResult> {
  const { tenantId, eventId, attempts, sealedSigningSecret, sealedPreviousSecret } = row
  const secrets = { tenantId, sealedSigningSecret, sealedPreviousSecret }
  return attemptResultOf(await post(parts, parts.sign, { ...secrets, url, eventId, attempt: attempts + 1, body }))
}
