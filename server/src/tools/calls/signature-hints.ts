import type { Wiring } from '../../tenancy/context/index.ts'
import type { Answered } from './transport.ts'

const TOLERANCE_MS = 300_000

type Refused = { readonly answer: Answered; readonly wiring: Wiring; readonly now: number }

/** Why an endpoint may have refused a signature, what we can see of it first. */
export function signatureHints({ answer, wiring, now }: Refused): string[] {
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
