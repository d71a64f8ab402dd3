import type { Queries } from '../../foundation/db/index.ts'
import { refuse } from '../../foundation/http/index.ts'
import { newUuid } from '../../foundation/ids/index.ts'
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
import { SIGN_IN } from './letters.ts'
import * as sql from './queries.ts'

const MOST_WORKSPACES = 10
const MINUTE = 60_000

export type SignInInput = {
  /** Whose people may be meant. Null for the page, which knows of no workspace. */
  readonly tenantId: number | null
  readonly email: string
  readonly language?: string | undefined
}

/**
 * Does the same work and gives the same answer for every address: it writes one row that says who asked. `answerSignIns` finds
 * out later whose address it is, when no caller is waiting who could tell from the time it takes.
 */
export async function askSignIn(house: House, { tenantId, email: given, language }: SignInInput) {
  const email = checkedEmail(given)
  if (!sendsMail(house.settings)) {
    throw refuse('mail_not_configured', 'This deployment sends no mail, so nobody can sign in by a mailed link.')
  }
  await house.db.transaction(async (tx) => {
    if (tenantId !== null) refuseThirdParty(await shareAddress(tx, house, tenantId), email)
    await tx.run(sql.askSignIn, {
      ofTenant: tenantId,
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
    for (const found of await tx.rows(sql.tenantsOfAddress, { email, ofTenant, limit: MOST_WORKSPACES })) {
      await mailLink(tx, house, { ...found, asked })
    }
    return true
  })

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
