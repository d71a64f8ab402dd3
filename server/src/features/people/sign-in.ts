import type { Queries } from '../../foundation/db/index.ts'
import { refuse } from '../../foundation/http/index.ts'
import { newUuid } from '../../foundation/ids/index.ts'
import { requireBusiness } from '../../ground/access/index.ts'
import type { House } from '../../ground/context/index.ts'
import { queueMail, sendsMail } from '../../ground/mail/index.ts'
import {
  type AddressOnFile,
  checkedEmail,
  isSameAddress,
  languageOf,
  lockAddress,
  shareAddress,
  unconfirmed,
} from '../../ground/tenants/index.ts'
import { SIGN_IN, SIGN_IN_BUSINESSES } from './letters.ts'
import * as sql from './queries.ts'

const MOST_WORKSPACES = 10
/** Mail programs cut a mail off after about a hundred kilobytes. */
const MOST_BUSINESSES = 100
const MINUTE = 60_000

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
    const { email, ofTenant } = asked
    if (asked.ofProvider !== null) {
      await mailBusinessLinks(tx, house, { ...asked, ofProvider: asked.ofProvider })
      return true
    }
    for (const found of await tx.rows(sql.tenantsOfAddress, { email, ofTenant, limit: MOST_WORKSPACES })) {
      await mailLink(tx, house, { ...found, asked })
    }
    return true
  })

/** One mail of the provider names each of its businesses that the person belongs to. */
async function mailBusinessLinks(
  tx: Queries,
  house: House,
  asked: sql.AskedSignIn & { readonly ofProvider: number },
): Promise<void> {
  const { email, ofProvider: providerId, ofTenant } = asked
  const provider = await lockAddress(tx, house, providerId)
  if (provider === undefined) return
  const links: { tenantId: number; personId: number; linkId: string }[] = []
  for (const found of await tx.rows(sql.businessesOfAddress, { email, providerId, ofTenant, limit: MOST_BUSINESSES })) {
    const onFile = await shareAddress(tx, house, found.tenantId)
    if (onFile !== undefined && mayBeMailed(onFile, email)) links.push({ ...found, linkId: newUuid(house.clock.now()) })
  }
  if (links.length === 0) return
  const { linkLifetimeMinutes: minutes } = house.settings.userSessions
  const queued = await queueMail(tx, house, {
    tenantId: providerId,
    kind: SIGN_IN_BUSINESSES,
    to: email,
    language: asked.language === null ? provider.language : languageOf(asked.language),
    fields: { links: links.map(({ tenantId, linkId }) => ({ tenantId, linkId })), minutes },
    limit: { most: house.settings.mail.maxSignInMailsPerWindow, windowMs: minutes * MINUTE, per: 'recipient' },
  })
  if (queued !== 'queued') return
  for (const link of links) await tx.run(sql.insertLink, { ...link, minutes })
}

type ToMail = { readonly tenantId: number; readonly personId: number; readonly asked: sql.AskedSignIn }

/** Beyond the person's limit it sends nothing, and says so to nobody. */
async function mailLink(tx: Queries, house: House, { tenantId, personId, asked }: ToMail): Promise<void> {
  const onFile = await lockAddress(tx, house, tenantId)
  if (onFile === undefined || !mayBeMailed(onFile, asked.email)) return
  const { linkLifetimeMinutes: minutes } = house.settings.userSessions
  const linkId = newUuid(house.clock.now())
  const queued = await queueMail(tx, house, {
    tenantId,
    kind: SIGN_IN,
    to: asked.email,
    language: asked.language === null ? onFile.language : languageOf(asked.language),
    fields: { linkId, minutes },
    limit: { most: house.settings.mail.maxSignInMailsPerWindow, windowMs: minutes * MINUTE, per: 'recipient' },
  })
  if (queued === 'queued') await tx.run(sql.insertLink, { tenantId, linkId, personId, minutes })
}
