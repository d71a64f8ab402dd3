// Mailed links. Their content is sealed, and a row ensures that a link works once, and only the newest one.
import type { Language } from '@tether/contract'
import { type Link, openLink, sealLink } from '../../foundation/crypto/index.ts'
import type { Queries } from '../../foundation/db/index.ts'
import { refuse } from '../../foundation/http/index.ts'
import { newUuid } from '../../foundation/ids/index.ts'
import type { House } from '../../ground/context/index.ts'
import type { LinkPurpose } from './queries.ts'
import * as sql from './queries.ts'

type LinkHouse = Pick<House, 'keyring' | 'clock'>

const PURPOSES = {
  confirm: 'signup.confirm',
  recover: 'signup.recover',
  console: 'signup.console',
  verify: 'signup.verify',
} as const
const MINUTE = 60_000

const ASK_AGAIN: Readonly<Record<LinkPurpose | 'verify', string>> = {
  confirm: 'Ask for a new one with POST /v1/account/confirmation.',
  recover: 'Ask for a new one with POST /v1/signup/recover.',
  console: 'Ask for a new one on /console.',
  verify: 'Sign up again, or open another sandbox.',
}

export const invalidLink = (purpose: LinkPurpose | 'verify') =>
  refuse('invalid_link', `This link does not work here. ${ASK_AGAIN[purpose]}`)

const linkExpired = (purpose: LinkPurpose | 'verify') =>
  refuse('link_expired', `This link has expired. ${ASK_AGAIN[purpose]}`)

type Content = { readonly content: string; readonly hasExpired: boolean }

/** Returns the content of a genuine link of this purpose, or throws a refusal. It does not look into the database. */
function openContent({ keyring, clock }: LinkHouse, purpose: LinkPurpose | 'verify', token: string): Content {
  const opened = openLink(keyring, PURPOSES[purpose], token.trim(), clock.now())
  if (!opened.ok && opened.reason === 'invalid') throw invalidLink(purpose)
  return { content: opened.id, hasExpired: !opened.ok }
}

export const lifetimeMinutes = ({
  signup,
  userSessions,
}: House['settings']): Readonly<Record<LinkPurpose, number>> => ({
  confirm: signup.linkLifetimeMinutes,
  recover: signup.recoveryLinkLifetimeMinutes,
  console: userSessions.linkLifetimeMinutes,
})

export type AccountLink = { readonly tenantId: number; readonly linkId: string }

export function openAccountLink(house: LinkHouse, purpose: LinkPurpose, token: string): AccountLink {
  const { content, hasExpired } = openContent(house, purpose, token)
  if (hasExpired) throw linkExpired(purpose)
  const [tenant = '', linkId = ''] = content.split(' ')
  return { tenantId: Number(tenant), linkId }
}

/**
 * Runs in the transaction that queues the mail, under the lock of the workspace's address. Earlier links of the purpose
 * stop working.
 */
export async function newLink(
  tx: Queries,
  { settings, clock }: Pick<House, 'settings' | 'clock'>,
  tenantId: number,
  purpose: LinkPurpose,
): Promise<string> {
  const minutes = lifetimeMinutes(settings)[purpose]
  const linkId = newUuid(clock.now())
  await tx.run(sql.insertLink, { tenantId, linkId, purpose, expiresAt: new Date(clock.now() + minutes * MINUTE) })
  return linkId
}

/** Makes the link's address when the mail leaves. Returns null if the link would no longer work. */
export async function linkToMail(
  house: House,
  { tenantId, linkId }: AccountLink,
  purpose: LinkPurpose,
  language: Language,
): Promise<string | null> {
  const row = await house.db.one(sql.findLink, { tenantId, linkId, purpose })
  if (row === undefined || row.expiresAt.getTime() <= house.clock.now()) return null
  const link = { purpose: PURPOSES[purpose], id: `${tenantId} ${linkId}`, expiresAt: row.expiresAt.getTime() }
  return pageOf(house.settings, purpose, language, sealForMail(house, link))
}

/**
 * Mail programs cut off punctuation at the end of an address in plain text, so a link must end with a letter or a
 * digit.
 */
function sealForMail({ keyring }: Pick<House, 'keyring'>, link: Link): string {
  for (;;) {
    const token = sealLink(keyring, link)
    if (/[a-z0-9]$/i.test(token)) return token
  }
}

/**
 * For our own page, the token comes after "#". A browser does not send that part, so it is in no server log and no
 * scanner's GET. Another party's page gets it as the specification says.
 */
export function pageOf(
  { signup, http }: House['settings'],
  purpose: LinkPurpose | 'verify',
  language: Language,
  token: string,
): string {
  // Nobody else's page can set our cookie.
  if (purpose === 'console') return `${http.publicUrl}/console?lang=${language}#signin=${token}`
  if (signup.verifyUrl !== '') return `${signup.verifyUrl}?${purpose}=${token}`
  return `${http.publicUrl}/account/${purpose}?lang=${language}#${purpose}=${token}`
}

type Wanted = { readonly email: string; readonly name: string; readonly language: Language }
type SealingHouse = Pick<House, 'keyring' | 'clock' | 'settings'>

/** The sandbox that becomes the workspace, and until when its link is good. */
type Claim = { readonly sandbox: number; readonly claimId: string; readonly expiresAt: number }

/**
 * A link that creates the workspace when it is opened, as an earlier version mailed it and a claimed sandbox does.
 * Nobody can read or change the address inside.
 */
export function sealVerifyLink(house: SealingHouse, { email, name, language }: Wanted, claim?: Claim): string {
  const id = JSON.stringify([email, name, language, ...(claim === undefined ? [] : [claim.sandbox, claim.claimId])])
  const lifetime = house.settings.signup.linkLifetimeMinutes * MINUTE
  const expiresAt = claim?.expiresAt ?? Math.round(house.clock.now() + lifetime)
  return sealForMail(house, { purpose: PURPOSES.verify, id, expiresAt })
}

type VerifyLink = Wanted & { readonly claim: { readonly sandbox: number; readonly claimId: string } | null }

/** `whenClaimed` is asked first, because a sandbox that is gone is told before a link that has expired with it. */
export async function openVerifyLink(
  house: LinkHouse,
  token: string,
  whenClaimed: (claim: NonNullable<VerifyLink['claim']>) => Promise<void>,
): Promise<VerifyLink> {
  const { content, hasExpired } = openContent(house, 'verify', token)
  // True because only `sealVerifyLink` can have sealed it.
  const [email, name, language, sandbox, claimId] = JSON.parse(content) as [string, string, Language, number?, string?]
  const claim = sandbox === undefined || claimId === undefined ? null : { sandbox, claimId }
  if (claim !== null) await whenClaimed(claim)
  if (hasExpired) throw linkExpired('verify')
  return { email, name, language, claim }
}

/** Where the link of a claimed sandbox leads. */
export const verifyLink = (house: SealingHouse, wanted: Wanted, claim: Claim): string =>
  pageOf(house.settings, 'verify', wanted.language, sealVerifyLink(house, wanted, claim))
