import { RESEND, type Wait } from '@tether/contract'
import { type Refusal, refuse } from '../../kernel/http/index.ts'

const WHAT_WAITS: Readonly<Record<Wait, string>> = {
  public_origin: 'A public origin waits',
  third_party_mail: 'Mail to anyone but the workspace’s own address waits',
  paid_plan: 'A paid plan waits',
  provider_grant: 'Provider authority waits',
  child_tenant: 'Creating a business waits',
}

/** The answer to everything that waits for a workspace's address to be confirmed. */
export const unconfirmed = (reason: Wait): Refusal =>
  refuse(
    'email_unconfirmed',
    `${WHAT_WAITS[reason]} until the workspace’s address is confirmed. Open the mailed link, or ask for a new one with POST ${RESEND.path}.`,
    { reason, resend: RESEND },
  )
