// Mailed links. What travels is sealed; what makes it work once, and only the newest, is a row.
import type { Language } from '@tether/contract'
import { type Link, openLink, sealLink } from '../../foundation/crypto/index.ts'
import type { Queries } from '../../foundation/db/index.ts'
import { refuse } from '../../foundation/http/index.ts'
import { newUuid } from '../../foundation/ids/index.ts'
import type { House } from '../../ground/context/index.ts'
import type { Purpose } from './queries.ts'
import * as sql from './queries.ts'

type Sealing = Pick<House, 'keyring' | 'clock'>

const PURPOSES = { confirm: 'signup.confirm', recover: 'signup.recover', verify: 'signup.verify' } as const
const MINUTE = 60_000

const ASK_AGAIN: Readonly<Record<Purpose | 'verify', string>> = {
  confirm: 'Ask for a new one with POST /v1/account/confirmation.',
  recover: 'Ask for a new one with POST /v1/signup/recover.',
  verify: 'Sign up anew.',
}

export const invalidLink = (purpose: Purpose | 'verify') =>
  refuse('invalid_link', `This is no link that works here. ${ASK_AGAIN[purpose]}`)

/** The content of a link of this purpose, or a refusal. Says nothing of what the database knows about it. */
export function contentOf(house: Sealing, purpose: Purpose | 'verify', token: string): string {
  const opened = openLink(house.keyring, PURPOSES[purpose], token.trim(), house.clock.now())
  if (opened.ok) return opened.id
  if (opened.reason === 'expired') {
    throw refuse('link_expired', `This link is too old. ${ASK_AGAIN[purpose]}`)
  }
  throw invalidLink(purpose)
}

export type AccountLink = { readonly tenantId: number; readonly linkId: string }

export function openAccountLink(house: Sealing, purpose: Purpose, token: string): AccountLink {
  const [tenant = '', linkId = ''] = contentOf(house, purpose, token).split(' ')
  return { tenantId: Number(tenant), linkId }
}

/** In the transaction that announces it, under the lock of the workspace's address. Every earlier link of the purpose stops. */
export async function newLink(
  tx: Queries,
  { settings, clock }: Pick<House, 'settings' | 'clock'>,
  tenantId: number,
  purpose: Purpose,
): Promise<string> {
  const { linkLifetimeMinutes, recoveryLinkLifetimeMinutes } = settings.signup
  const minutes = purpose === 'confirm' ? linkLifetimeMinutes : recoveryLinkLifetimeMinutes
  const linkId = newUuid(clock.now())
  await tx.run(sql.insertLink, { tenantId, linkId, purpose, expiresAt: new Date(clock.now() + minutes * MINUTE) })
  return linkId
}

/** The address to mail, made when it is mailed. Null when the link would not work any more. */
export async function linkToMail(
  house: House,
  { tenantId, linkId }: AccountLink,
  purpose: Purpose,
  language: Language,
): Promise<string | null> {
  const row = await house.db.one(sql.findLink, { tenantId, linkId, purpose })
  if (row === undefined || row.expiresAt.getTime() <= house.clock.now()) return null
  const link = { purpose: PURPOSES[purpose], id: `${tenantId} ${linkId}`, expiresAt: row.expiresAt.getTime() }
  return pageOf(house.settings, purpose, language, sealForMail(house, link))
}

/** Mail programs that find an address in plain text leave a sign at its end behind, so a link ends with a letter or a digit. */
function sealForMail({ keyring }: Pick<House, 'keyring'>, link: Link): string {
  for (;;) {
    const token = sealLink(keyring, link)
    if (/[a-z0-9]$/i.test(token)) return token
  }
}

/**
 * On our own page the token stands behind the "#": a browser keeps that to itself, so no server log and no scanner's GET
 * has it. A page of somebody else is handed it as the specification says.
 */
export function pageOf(
  { signup, http }: House['settings'],
  purpose: Purpose,
  language: Language,
  token: string,
): string {
  const own = `${http.publicUrl}/account`
  if (signup.verifyUrl === '' || signup.verifyUrl === `${own}/confirm`) {
    return `${own}/${purpose}?lang=${language}#${purpose}=${token}`
  }
  return `${signup.verifyUrl}?${purpose}=${token}`
}

/**
 * A link that creates the workspace when it is opened, as an earlier version mailed it and a claimed sandbox does. The
 * address inside can be neither read nor changed.
 */
export function sealVerifyLink(
  house: Pick<House, 'keyring' | 'clock' | 'settings'>,
  wanted: { readonly email: string; readonly name: string; readonly language: Language },
): string {
  const id = JSON.stringify([wanted.email, wanted.name, wanted.language])
  const expiresAt = Math.round(house.clock.now() + house.settings.signup.linkLifetimeMinutes * MINUTE)
  return sealForMail(house, { purpose: PURPOSES.verify, id, expiresAt })
}
