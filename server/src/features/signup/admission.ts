// Who may sign up at all, and how often. Everything that is counted lies in the database: it holds for all processes.
import { saltedHash } from '../../foundation/crypto/index.ts'
import type { Queries } from '../../foundation/db/index.ts'
import { type Refusal, refuse } from '../../foundation/http/index.ts'
import { addressBucket } from '../../ground/access/index.ts'
import type { Asking, Context, House } from '../../ground/context/index.ts'
import { sendsMail } from '../../ground/mail/index.ts'
import { addressHash, countAddress } from '../../ground/tenants/index.ts'
import { isDisposable } from './disposable/domains.ts'
import * as sql from './queries.ts'

type Settings = House['settings']
type Reason = 'mail_not_configured' | 'mail_failed' | 'misconfigured'

const WORDS: Readonly<Record<Reason, string>> = {
  mail_not_configured: 'This deployment sends no mail, so no link can be sent. Ask whoever runs it.',
  mail_failed: 'The mail server does not take mail at the moment. Nothing was created; try again in a few minutes.',
  misconfigured: 'Sign-up is not set up completely on this deployment. Ask whoever runs it.',
}

export const unavailable = (reason: Reason): Refusal => refuse('signup_unavailable', WORDS[reason], { reason })

// One answer for every limit: which of them was reached is nobody's business, and no help.
const tooMany = (): Refusal =>
  refuse('rate_limited', 'Too many sign-ups or links for now. Try again later.', {}, { 'retry-after': '3600' })

export function requireOpen({ signup }: Settings): void {
  if (!signup.enabled) throw refuse('signup_disabled', 'Sign-up is closed on this deployment.')
}

export function requireSalt({ signup }: Settings): void {
  if (signup.ipHashSalt === '') throw unavailable('misconfigured')
}

export function requireMail(settings: Settings): void {
  if (!sendsMail(settings)) throw unavailable('mail_not_configured')
}

/** What a confirmation link needs before anything is created that waits for it. */
export function requireLinks(settings: Settings): void {
  requireMail(settings)
  if (settings.signup.verifyUrl === '') throw unavailable('misconfigured')
}

export function refuseDisposable({ signup }: Settings, email: string): void {
  if (isDisposable(email, signup.blockedEmailDomains)) {
    throw refuse('disposable_email', 'This domain gives out disposable or blocked addresses. Use your own address.')
  }
}

/** The caller as it is counted and told of: never its address. */
export function callerHash({ settings, asking }: Pick<Context<Asking>, 'settings' | 'asking'>): string {
  return saltedHash(settings.signup.ipHashSalt, 'ip', addressBucket(asking.address))
}

/** Refuses what would pass a limit on new workspaces. The last word is spoken under the turn of `takeTurn`. */
export async function refuseBeyondLimits(db: Queries, { signup }: Settings, caller: string): Promise<void> {
  const counted = await db.one(sql.countSignups, { callerHash: caller })
  if (counted === undefined) throw new Error('a count gave nothing')
  if (counted.lastHour >= signup.maxGlobalPerHour || counted.fromCaller >= signup.maxPerIpPerDay) throw tooMany()
}

/**
 * One development tenant per person: tombstones count, and so does a confirmed address that a workspace left, but for that
 * workspace itself.
 */
export async function refuseUsedAddress(
  db: Queries,
  settings: Settings,
  email: string,
  by: number | null = null,
): Promise<void> {
  const hash = addressHash(settings, email)
  if (hash === null) throw unavailable('misconfigured')
  const leftByOthers =
    (await inTally(db, 'address', hash)) - (by === null ? 0 : await inTally(db, 'left', leftHash(settings, by, hash)))
  if ((await countAddress(db, hash, by)) + leftByOthers >= settings.signup.maxPerEmailTotal) {
    throw refuse(
      'email_already_used',
      'This address already has a workspace. POST /v1/signup/recover mails it a link to a new key.',
    )
  }
}

/** A confirmed address that a workspace moves away from stays used for everybody else. */
export async function noteLeftAddress(tx: Queries, settings: Settings, tenantId: number, hash: string): Promise<void> {
  const left = leftHash(settings, tenantId, hash)
  if ((await inTally(tx, 'left', left)) > 0) return
  await tx.run(sql.noteInTally, { kind: 'left', hash: left })
  await tx.run(sql.noteInTally, { kind: 'address', hash })
}

const inTally = async (db: Queries, kind: sql.TallyKind, hash: string): Promise<number> =>
  (await db.one(sql.countInTally, { kind, hash }))?.count ?? 0

const leftHash = ({ signup }: Settings, tenantId: number, hash: string): string =>
  saltedHash(signup.ipHashSalt, 'left address', `${tenantId} ${hash}`)

/** A link that somebody asks for again: counted per caller, under the caller's own turn. */
export async function takeLinkOfCaller(tx: Queries, { signup }: Settings, caller: string): Promise<void> {
  await tx.rows(sql.takeCallersTurn, { callerHash: caller })
  const asked = (await tx.one(sql.countLinksOfCaller, { callerHash: caller }))?.count ?? 0
  if (asked >= signup.maxLinksPerIpPerDay) throw tooMany()
}

export async function mayHaveLink(
  tx: Queries,
  { signup }: Settings,
  tenantId: number,
  purpose: sql.Purpose,
): Promise<boolean> {
  const sent = (await tx.one(sql.countLinks, { tenantId, purpose }))?.count ?? 0
  return sent < signup.maxLinksPerEmailPerHour
}

export async function requireLinkAllowance(tx: Queries, settings: Settings, tenantId: number): Promise<void> {
  if (!(await mayHaveLink(tx, settings, tenantId, 'confirm'))) throw tooMany()
}
