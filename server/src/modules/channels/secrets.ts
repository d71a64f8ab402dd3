// The credentials of a channel: one sealed text for each, so that a part of them is never of another time than the rest.
import type { ChannelKind } from '@tether/contract'
import { type Place, SecretUnreadable } from '../../kernel/crypto/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { type Resealed, resealRows } from '../../tenancy/sealing/index.ts'
import type { Connection } from './driver.ts'
import { type ChannelRow, listSealed, reseal } from './queries.ts'

const placeOf = (tenantId: number, kind: string): Place => ({
  table: 'notice_channels',
  column: 'sealed',
  tenantId,
  row: kind,
})

type Ring = Pick<House, 'keyring'>
type Of = { readonly tenantId: number; readonly kind: ChannelKind }

export const sealSecrets = ({ keyring }: Ring, { tenantId, kind }: Of, secrets: object): string =>
  keyring.seal(JSON.stringify(secrets), placeOf(tenantId, kind))

/** Null where the credentials do not open. The cast is true because only what the driver of this kind returned is sealed there. */
export function openConnection<Secrets extends object>(
  { keyring }: Ring,
  { tenantId, kind }: Of,
  { place, teamId, sealed }: Pick<ChannelRow, 'place' | 'teamId' | 'sealed'>,
): Connection<Secrets> | null {
  try {
    const secrets = JSON.parse(keyring.open(sealed, placeOf(tenantId, kind))) as Secrets
    return { tenantId, place, teamId, secrets }
  } catch (error) {
    if (error instanceof SecretUnreadable) return null
    throw error
  }
}

export const secretUnreadable = (name: string) =>
  refuse(
    'secret_unreadable',
    `The stored credentials of ${name} do not open. Set all of them again, or have the encryption key restored.`,
  )

export const resealChannels = (house: Pick<House, 'db' | 'keyring' | 'log'>): Promise<Resealed> =>
  resealRows(house, { what: 'the credentials of a channel', list: listSealed, reseal, place: placeOf })
