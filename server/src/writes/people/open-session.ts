import type { SignInFault } from '@tether/contract'
import { Refusal, refuse } from '../../kernel/http/index.ts'
import { newSessionToken, requireBusiness } from '../../tenancy/access/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { findPerson, type PersonRow } from '../approvals/index.ts'
import { openSignIn, tokenIn } from './links.ts'
import * as sql from './queries.ts'

export type OpenedSession = {
  readonly token: string
  readonly tenantId: number
  readonly tenantName: string
  readonly person: PersonRow
  readonly expiresAt: Date
}

/** A workspace, or a provider, which asks for its businesses. */
export type WhoAsks = { readonly tenantId: number } | { readonly providerId: number }

const mayOpen = async (house: House, asks: WhoAsks, tenantId: number): Promise<boolean> =>
  'tenantId' in asks
    ? asks.tenantId === tenantId
    : await requireBusiness(house, { tenantId: asks.providerId }, tenantId).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refusal) return false
          throw error
        },
      )

const HOUR_SECONDS = 3600

/**
 * Spends a mailed link, once: of two at the same moment one opens a session. `asks` is whose key it is, which opens nobody
 * else's links; null for the page.
 */
export async function openSession(house: House, asks: WhoAsks | null, pasted: string): Promise<OpenedSession> {
  const link = openSignIn(house, tokenIn(pasted))
  if (typeof link === 'string') throw refused(link)
  const { tenantId, linkId } = link
  if (asks !== null && !(await mayOpen(house, asks, tenantId))) throw refused('unknown')
  const { token, hash } = newSessionToken()
  const lifetimeSeconds = house.settings.userSessions.lifetimeHours * HOUR_SECONDS
  const opened = await house.db.one(sql.openSession, { tenantId, linkId, hash, lifetimeSeconds })
  const row = await house.db.one(sql.findLink, { tenantId, linkId })
  if (row === undefined) throw refused('unknown')
  if (opened === undefined) throw refused(row.spent ? 'spent' : row.expired ? 'expired' : 'user_inactive')
  const person = await findPerson(house, tenantId, opened.personId)
  if (person === undefined) throw refused('user_inactive')
  return { token, tenantId, tenantName: row.tenantName, person, expiresAt: opened.expiresAt }
}

const WORDS: Readonly<Record<SignInFault, string>> = {
  spent: 'This link was already used, a newer one was, or the address has changed since. Ask for a new one.',
  expired: 'This link has expired. Ask for a new one.',
  unknown: 'This is not a link of ours. Ask for a new one.',
  malformed: 'This is not a whole link. Open it from the mail, or ask for a new one.',
  user_inactive: 'This person may no longer act in this workspace.',
}

const refused = (reason: SignInFault) => refuse('invalid_sign_in_link', WORDS[reason], { reason })
