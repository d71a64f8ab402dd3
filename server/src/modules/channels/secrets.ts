// The credentials of a channel: one sealed text for each, so that a part of them is never of another time than the rest.

import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { type ChannelKind, type ChannelRow, sealedChannels } from './queries.ts'

export type SlackSecrets = { readonly botToken: string; readonly signingSecret: string }
export type TeamsSecrets = { readonly url: string }

type Ring = Pick<House, 'keyring'>

const sealing =
  <Secrets extends object>(kind: ChannelKind) =>
  ({ keyring }: Ring, tenantId: number, secrets: Secrets): string =>
    keyring.seal(JSON.stringify(secrets), sealedChannels.place(tenantId, kind))

/** The cast is true because this opened in its own place, and only the function above can have sealed it there. */
const opening =
  <Secrets extends object>(kind: ChannelKind) =>
  ({ keyring }: Ring, tenantId: number, { sealed }: Pick<ChannelRow, 'sealed'>): Secrets =>
    JSON.parse(keyring.open(sealed, sealedChannels.place(tenantId, kind))) as Secrets

export const sealSlack = sealing<SlackSecrets>('slack')
export const openSlack = opening<SlackSecrets>('slack')
/** Null where it does not open. */
export function readSecrets(ring: Ring, tenantId: number, row: Pick<ChannelRow, 'sealed'>): SlackSecrets | null {
  try {
    return openSlack(ring, tenantId, row)
  } catch (error) {
    if (error instanceof SecretUnreadable) return null
    throw error
  }
}

export const secretUnreadable = () =>
  refuse(
    'secret_unreadable',
    'The stored credentials of Slack do not open. Set `botToken` and `signingSecret` again, or have the encryption key restored.',
  )

export const sealTeams = sealing<TeamsSecrets>('teams')
export const openTeams = opening<TeamsSecrets>('teams')
