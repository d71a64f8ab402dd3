import type { Language } from '@tether/contract'
import type { Queries } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { newUuid } from '../../kernel/ids/index.ts'
import { requireBusiness } from '../../tenancy/access/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { type MailToQueue, queueMail, sendsMail } from '../../tenancy/mail/index.ts'
import {
  type AddressOnFile,
  addressHash,
  checkedEmail,
  isSameAddress,
  languageOf,
  lockAddress,
  shareAddress,
  unconfirmed,
} from '../../tenancy/tenants/index.ts'
import { SIGN_IN, SIGN_IN_BUSINESSES } from './letters.ts'
import * as sql from './queries.ts'

/** Mail programs cut a mail off after about a hundred kilobytes. */
const MOST_LINKS = 100
const MINUTE = 60_000
const DAY = 86_400_000

export type SignInInput = {
  /** Whose people may be meant. Null for the page, which knows of no workspace. */
  readonly tenantId: number | null
  /** The provider that asks. Then the people of its businesses are meant, or those of the one that `tenantId` names. */
  readonly providerId?: number
  readonly email: string
  readonly language?: string | undefined
}

/**
 * Does the same work and gives the same answer for every address: it writes one row that says who asked. `answerSignIns` finds
 * out later whose address it is, when no caller is waiting who could tell from the time it takes.
 */
export async function askSignIn(house: House, { tenantId, providerId, email: given, language }: SignInInput) {
  const email = checkedEmail(given)
  if (!sendsMail(house.settings)) {
    throw refuse('mail_not_configured', 'This deployment sends no mail, so nobody can sign in by a mailed link.')
  }
  // A provider knows which businesses are its own, so that this says nothing of anybody.
  if (providerId !== undefined && tenantId !== null) await requireBusiness(house, { tenantId: providerId }, tenantId)
  const asks = providerId ?? tenantId
  await house.db.transaction(async (tx) => {
    if (asks !== null) refuseThirdParty(await shareAddress(tx, house, asks), email)
    await tx.run(sql.askSignIn, {
      ofTenant: tenantId,
      ofProvider: providerId ?? null,
      email,
      language: language === undefined ? null : languageOf(language),
    })
  })
  return {
    accepted: true as const,
    email,
    message:
      'If this address belongs to somebody who may sign in, a link is on its way. It works once and for a short time.',
  }
}

/** Depends on the workspace's own address alone, and so says nothing of who is registered. */
function refuseThirdParty(onFile: AddressOnFile | undefined, email: string): void {
  if (onFile !== undefined && !mayBeMailed(onFile, email)) throw unconfirmed('third_party_mail')
}

const mayBeMailed = (onFile: AddressOnFile, email: string): boolean =>
  onFile.confirmedAt !== null || (onFile.email !== null && isSameAddress(onFile.email, email))

/** Mails the links that were asked for. */
export async function answerSignIns(house: House, signal: AbortSignal): Promise<number> {
  for (let all = 0; !signal.aborted; all++) {
    if (!(await answerNext(house))) return all
  }
  return 0
}

const answerNext = (house: House): Promise<boolean> =>
  house.db.transaction(async (tx) => {
    const asked = await tx.one(sql.takeSignIn)
    if (asked === undefined) return false
    const { ofProvider } = asked
    if (ofProvider === null) await mailWorkspaceLinks(tx, house, asked)
    else await mailBusinessLinks(tx, house, { ...asked, ofProvider })
    return true
  })

type Found = { readonly tenantId: number; readonly personId: number }
type ToMail = {
  /** In whose name the mail goes out. */
  readonly from: number
  readonly kind: string
  readonly language: Language
  readonly found: readonly Found[]
  readonly email: string
  readonly reach?: MailToQueue['reach']
}

/** One mail of the provider names each of its businesses that the person belongs to. */
async function mailBusinessLinks(
  tx: Queries,
  house: House,
  asked: sql.AskedSignIn & { readonly ofProvider: number },
): Promise<void> {
  const { email, ofProvider: providerId, ofTenant } = asked
  const provider = await lockAddress(tx, house, providerId)
  if (provider === undefined) return
  const found: Found[] = []
  for (const one of await tx.rows(sql.businessesOfAddress, { email, providerId, ofTenant, limit: MOST_LINKS })) {
    const onFile = await shareAddress(tx, house, one.tenantId)
    if (onFile !== undefined && mayBeMailed(onFile, email)) found.push(one)
  }
  const language = asked.language === null ? provider.language : languageOf(asked.language)
  await mailLinks(tx, house, { from: providerId, kind: SIGN_IN_BUSINESSES, language, found, email })
}

/**
 * However many workspaces list an address, it is mailed once: by the first of them, with a link to each. Otherwise strangers could
 * multiply somebody's mail by listing them.
 */
async function mailWorkspaceLinks(tx: Queries, house: House, asked: sql.AskedSignIn): Promise<void> {
  const { email, ofTenant } = asked
  const emailHash = addressHash(house.settings, email)
  const listed = await tx.rows(sql.tenantsOfAddress, { email, emailHash, ofTenant, limit: MOST_LINKS })
  const files = new Map<number, AddressOnFile>()
  // In one order, whoever asks, so that two that are answered at once never wait for each other.
  for (const tenantId of listed.map((one) => one.tenantId).sort((one, other) => other - one)) {
    const onFile = await lockAddress(tx, house, tenantId)
    if (onFile !== undefined && mayBeMailed(onFile, email)) files.set(tenantId, onFile)
  }
  const found = listed.filter(({ tenantId }) => files.has(tenantId))
  const [first] = found
  const onFile = first && files.get(first.tenantId)
  if (first === undefined || onFile === undefined) return
  const { tenantId: from } = first
  const language = asked.language === null ? onFile.language : languageOf(asked.language)
  const signedIn = (await tx.one(sql.countSignedIn, { tenantId: from }))?.count ?? 0
  const most = house.settings.mail.maxNewSignInRecipientsPerDay + signedIn
  const kind = found.length === 1 ? SIGN_IN : SIGN_IN_BUSINESSES
  await mailLinks(tx, house, { from, kind, language, found, email, reach: { most, windowMs: DAY } })
}

/** Beyond a limit it sends nothing, and says so to nobody. */
async function mailLinks(
  tx: Queries,
  house: House,
  { from, kind, language, found, email, reach }: ToMail,
): Promise<void> {
  const { linkLifetimeMinutes: minutes } = house.settings.userSessions
  const links = found.map((one) => ({ ...one, linkId: newUuid(house.clock.now()) }))
  const [only] = links
  if (only === undefined) return
  const queued = await queueMail(tx, house, {
    tenantId: from,
    kind,
    to: email,
    language,
    fields:
      kind === SIGN_IN
        ? { linkId: only.linkId, minutes }
        : { links: links.map(({ tenantId, linkId }) => ({ tenantId, linkId })), minutes },
    limit: { most: house.settings.mail.maxSignInMailsPerWindow, windowMs: minutes * MINUTE, per: 'recipient' },
    ...(reach === undefined ? {} : { reach }),
  })
  if (queued !== 'queued') return
  for (const link of links) await tx.run(sql.insertLink, { ...link, email, minutes })
}
