// What people are mailed. The content of a link is sealed, and a row ensures that it works once.
import type { SignInFault } from '@tether/contract'
import { type Link, openLink, sealLink } from '../../kernel/crypto/index.ts'
import { isUuid, newUuid } from '../../kernel/ids/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { insertLink } from './queries.ts'

type LinkHouse = Pick<House, 'keyring' | 'clock'>

const SIGN_IN = 'people.sign_in'
const ADDRESS = 'people.address'
const MONTH = 30 * 86_400_000

type SignInLink = { readonly tenantId: number; readonly linkId: string }

/**
 * Mail programs cut off punctuation at the end of an address in plain text, so a link must end with a letter or a digit.
 */
export function sealForMail({ keyring }: Pick<House, 'keyring'>, link: Link): string {
  for (;;) {
    const token = sealLink(keyring, link)
    if (/[a-z0-9]$/i.test(token)) return token
  }
}

export const sealSignIn = (house: LinkHouse, { tenantId, linkId }: SignInLink, expiresAt: Date): string =>
  sealForMail(house, { purpose: SIGN_IN, id: `${tenantId} ${linkId}`, expiresAt: expiresAt.getTime() })

// A nonce, the two ids and the tag are longer than this.
const SHORTEST = 80

/** The token after "#signin=", or the whole address, as somebody pastes it. */
export const tokenIn = (pasted: string): string => /#signin=([\w-]+)/.exec(pasted)?.[1] ?? pasted.trim()

export function openSignIn(house: LinkHouse, token: string): SignInLink | SignInFault {
  if (!/^[\w-]+$/.test(token) || token.length < SHORTEST) return 'malformed'
  const opened = openLink(house.keyring, SIGN_IN, token, house.clock.now())
  if (!opened.ok) return opened.reason === 'expired' ? 'expired' : 'unknown'
  const [tenant = '', linkId = ''] = opened.id.split(' ')
  return isUuid(linkId) ? { tenantId: Number(tenant), linkId } : 'unknown'
}

/** The address that a notice fills in for its reader. It is sealed, because the addresses of pages end up in logs. */
export const sealAddress = (house: LinkHouse, email: string): string =>
  sealForMail(house, { purpose: ADDRESS, id: email, expiresAt: house.clock.now() + MONTH })

export function addressIn(house: LinkHouse, text: string): string {
  const opened = openLink(house.keyring, ADDRESS, text, house.clock.now())
  return opened.ok ? opened.id : ''
}

const MINUTES = 24 * 60
const MINUTE_MS = 60_000

/**
 * The token of a link that nobody is mailed: a start of Development prints it for whoever sits there. It works once, like every link,
 * and for a day, because a screen is read later than a mailbox.
 */
export async function signInToPrint(
  house: Pick<House, 'db' | 'clock' | 'keyring' | 'settings'>,
  { tenantId, personId }: { readonly tenantId: number; readonly personId: number },
): Promise<string> {
  const { db, clock, settings } = house
  if (settings.environment !== 'Development') throw new Error('Only Development prints a link to sign in.')
  const linkId = newUuid(clock.now())
  await db.run(insertLink, { tenantId, linkId, personId, email: null, minutes: MINUTES })
  return sealSignIn(house, { tenantId, linkId }, new Date(clock.now() + MINUTES * MINUTE_MS))
}
