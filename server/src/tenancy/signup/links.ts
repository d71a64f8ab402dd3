// Mailed links. Their content is sealed, and a row ensures that a link works once, and only the newest one.
import type { Language } from '@tether/contract'
import { type Link, openLink, sealLink } from '../../kernel/crypto/index.ts'
import type { Queries } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { newUuid } from '../../kernel/ids/index.ts'
import type { House } from '../context/index.ts'
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
  console: 'Ask for a new one where you sign in.',
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

type AccountLink = { readonly tenantId: number; readonly linkId: string }

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

/** Makes the link's token when the mail leaves. Returns null if the link would no longer work. */
export async function tokenToMail(
  house: House,
  { tenantId, linkId }: AccountLink,
  purpose: LinkPurpose,
): Promise<string | null> {
  const row = await house.db.one(sql.findLink, { tenantId, linkId, purpose })
  if (row === undefined || row.expiresAt.getTime() <= house.clock.now()) return null
  const link = { purpose: PURPOSES[purpose], id: `${tenantId} ${linkId}`, expiresAt: row.expiresAt.getTime() }
  return sealForMail(house, link)
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

/** The address of the page that opens a link. */
export type LinkPage = (settings: House['settings'], language: Language, token: string) => string

/**
 * For our own page, the token comes after "#". A browser does not send that part, so it is in no server log and no
 * scanner's GET. Another party's page gets it as the specification says.
 */
export const accountPage =
  (purpose: 'confirm' | 'recover' | 'verify'): LinkPage =>
  ({ signup, http }, language, token) =>
    signup.verifyUrl === ''
      ? `${http.publicUrl}/account/${purpose}?lang=${language}#${purpose}=${token}`
      : `${signup.verifyUrl}?${purpose}=${token}`

type Wanted = { readonly email: string; readonly name: string; readonly language: Language }
type SealingHouse = Pick<House, 'keyring' | 'clock' | 'settings'>

/** What a module adds to a link for itself, and until when the link is good. */
type Claim = { readonly content: readonly unknown[]; readonly expiresAt: number }

/**
 * A link that creates the workspace when it is opened, as an earlier version mailed it and a module may.
 * Nobody can read or change the address inside.
 */
export function sealVerifyLink(house: SealingHouse, { email, name, language }: Wanted, claim?: Claim): string {
  const id = JSON.stringify([email, name, language, ...(claim?.content ?? [])])
  const lifetime = house.settings.signup.linkLifetimeMinutes * MINUTE
  const expiresAt = claim?.expiresAt ?? Math.round(house.clock.now() + lifetime)
  return sealForMail(house, { purpose: PURPOSES.verify, id, expiresAt })
}

/** What a module writes of its own into a workspace, and adds to the answer that describes it. */
export type Addition = {
  /** Runs in the transaction that creates the workspace. */
  readonly write: (tx: Queries, tenantId: number) => Promise<void>
  readonly nextSteps: readonly string[]
}

/** Reads what the module sealed into a link. Throws a refusal if the link must not create a workspace. */
export type OpenClaim = (house: Pick<House, 'db' | 'settings'>, content: Claim['content']) => Promise<Addition>

type VerifyLink = Wanted & { readonly addition: Addition | undefined }

/**
 * A claim that the module refuses is reported before a link that has expired. Without the module that sealed a claim,
 * the link is invalid.
 */
export async function openVerifyLink(
  house: LinkHouse & Parameters<OpenClaim>[0],
  token: string,
  openClaim: OpenClaim = async () => {
    throw invalidLink('verify')
  },
): Promise<VerifyLink> {
  const { content, hasExpired } = openContent(house, 'verify', token)
  // True because only `sealVerifyLink` can have sealed it.
  const [email, name, language, ...claim] = JSON.parse(content) as [string, string, Language, ...unknown[]]
  const addition = claim.length === 0 ? undefined : await openClaim(house, claim)
  if (hasExpired) throw linkExpired('verify')
  return { email, name, language, addition }
}

/** The address of a link that creates a workspace. */
export const verifyLink = (house: SealingHouse, wanted: Wanted, claim: Claim): string =>
  accountPage('verify')(house.settings, wanted.language, sealVerifyLink(house, wanted, claim))
