// Decides who may sign up, and how often. All counts are in the database, so they hold for all processes.

import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { foldAddress, saltedHash } from '../../kernel/crypto/index.ts'
import type { Queries } from '../../kernel/db/index.ts'
import { type Refusal, refuse } from '../../kernel/http/index.ts'
import { once } from '../../kernel/memo/index.ts'
import { addressBucket } from '../access/index.ts'
import type { Asking, Context, House } from '../context/index.ts'
import { sendsMail } from '../mail/index.ts'
import { addressHash, countAddress, countHash } from '../tenants/index.ts'
import * as sql from './queries.ts'

type Settings = House['settings']
type UnavailableReason = 'mail_not_configured' | 'mail_failed' | 'misconfigured'

const UNAVAILABLE_WORDS: Readonly<Record<UnavailableReason, string>> = {
  mail_not_configured: 'This deployment sends no mail, so it cannot send a link. Ask its operator.',
  mail_failed: 'The mail server does not accept mail at the moment. Nothing was created. Try again in a few minutes.',
  misconfigured: 'Sign-up is not fully set up on this deployment. Ask its operator.',
}

export const unavailable = (reason: UnavailableReason): Refusal =>
  refuse('signup_unavailable', UNAVAILABLE_WORDS[reason], { reason })

const HOUR = 3_600
const DAY = 24 * HOUR

type Limit = {
  /** Which limit it is, and how many it allows in which time. */
  readonly says: string
  readonly setting: 'MaxPerIpPerDay' | 'MaxGlobalPerHour' | 'MaxLinksPerIpPerDay' | 'MaxLinksPerEmailPerHour'
}

/** In Development whoever reads the answer also sets the limit. */
function beyond({ environment }: Settings, { says, setting }: Limit, seconds: number): Refusal {
  const retryAfter = Math.max(1, seconds)
  const limit = environment === 'Development' ? `${says} (\`Signup:${setting}\`)` : says
  const message = `${limit}, and that limit has been reached. Try again in ${inWords(retryAfter)}.`
  return refuse('rate_limited', message, {}, { 'retry-after': String(retryAfter) })
}

/** Rounded up, so that nobody comes back too soon. */
function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 1) return 'a minute'
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

export function requireOpen({ signup }: Settings): void {
  if (!signup.enabled)
    throw refuse('signup_disabled', 'Sign-up is closed on this deployment. Ask its operator for a workspace.')
}

export function requireSalt({ signup }: Settings): void {
  if (signup.ipHashSalt === '') throw unavailable('misconfigured')
}

export function requireMail(settings: Settings): void {
  if (!sendsMail(settings)) throw unavailable('mail_not_configured')
}

/** Checks what a confirmation link needs, before anything is created that waits for it. */
export function requireLinks(settings: Settings): void {
  requireMail(settings)
  if (settings.signup.verifyUrl === '') throw unavailable('misconfigured')
}

/** Read with the first sign-up, so that a start does not wait for it. */
const disposableDomains = once(disposableEmailBlocklistSet)

/** Whether an address lies on a disposable or blocked domain, or on a subdomain of one. */
export function isDisposable(email: string, blocked: readonly string[]): boolean {
  const folded = foldAddress(email)
  const labels = folded.slice(folded.lastIndexOf('@') + 1).split('.')
  const ends = labels.map((_, at) => labels.slice(at).join('.'))
  return ends.some((domain) => disposableDomains().has(domain) || blocked.includes(domain))
}

export function refuseDisposable({ signup }: Settings, email: string): void {
  if (isDisposable(email, signup.blockedEmailDomains)) {
    throw refuse('disposable_email', 'This domain is blocked or gives out disposable addresses. Use your own address.')
  }
}

/** Identifies the caller in counts and events without its address. */
export function callerHash({ settings, asking }: Pick<Context<Asking>, 'settings' | 'asking'>): string {
  return saltedHash(settings.signup.ipHashSalt, 'ip', addressBucket(asking.address))
}

/** Refuses a sign-up beyond a limit on new workspaces. Only a call under `lockSignups` is final. */
export async function refuseBeyondLimits(db: Queries, settings: Settings, caller: string): Promise<void> {
  const { maxGlobalPerHour: mostInAll, maxPerIpPerDay: mostOfCaller } = settings.signup
  const waits = await db.one(sql.signupWaits, { callerHash: caller, mostInAll, mostOfCaller })
  if (waits === undefined) throw new Error('The count returned no row.')
  const hour = mostInAll === 0 ? HOUR : waits.hour
  const day = mostOfCaller === 0 ? DAY : waits.caller
  if (day !== null) {
    const says = `One network address can create ${counted(mostOfCaller, 'workspace')} in 24 hours`
    throw beyond(settings, { says, setting: 'MaxPerIpPerDay' }, day)
  }
  if (hour !== null) {
    const says = `This deployment creates ${counted(mostInAll, 'workspace')} in an hour`
    throw beyond(settings, { says, setting: 'MaxGlobalPerHour' }, hour)
  }
}

/**
 * Allows one development tenant per person. Tombstones count, and so does a confirmed address that a workspace has
 * left, except for that workspace itself.
 */
export async function refuseUsedAddress(
  db: Queries,
  settings: Settings,
  email: string,
  by: number | null = null,
): Promise<void> {
  const counted = countHash(settings, email)
  const emailHash = addressHash(settings, email)
  if (counted === null || emailHash === null) throw unavailable('misconfigured')
  let uses = await countAddress(db, { countHash: counted, emailHash }, by)
  // What was noted before there was a hash for counting is under the other one.
  for (const hash of new Set([counted, emailHash])) {
    uses += await inTally(db, 'address', hash)
    if (by !== null) uses -= await inTally(db, 'left', leftHash(settings, by, hash))
  }
  if (uses >= settings.signup.maxPerEmailTotal) {
    throw refuse(
      'email_already_used',
      'This address already has a workspace. POST /v1/signup/recover mails you a link to a new key.',
    )
  }
}

/** A confirmed address that a workspace leaves stays taken for everybody else. */
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

/** Counts a repeated request for a link against its caller, under the caller's own lock. */
export async function takeLinkOfCaller(tx: Queries, settings: Settings, caller: string): Promise<void> {
  await tx.rows(sql.lockCaller, { callerHash: caller })
  const most = settings.signup.maxLinksPerIpPerDay
  const wait = await tx.one(sql.waitForLinkOfCaller, { callerHash: caller, most })
  const seconds = most === 0 ? DAY : wait?.seconds
  if (seconds === undefined) return
  const says = `One network address can ask for ${counted(most, 'link')} in 24 hours`
  throw beyond(settings, { says, setting: 'MaxLinksPerIpPerDay' }, seconds)
}

/** Counts a link that a stranger asks for against their network address, and refuses one too many. */
export async function takeLinkAllowance(tx: Queries, ctx: Pick<Context<Asking>, 'settings' | 'asking'>): Promise<void> {
  const caller = callerHash(ctx)
  await takeLinkOfCaller(tx, ctx.settings, caller)
  await tx.run(sql.noteInTally, { kind: 'link', hash: caller })
}

export async function mayHaveLink(
  tx: Queries,
  { signup }: Settings,
  tenantId: number,
  purpose: sql.LinkPurpose,
): Promise<boolean> {
  return (await tx.one(sql.waitForLink, { tenantId, purpose, most: signup.maxLinksPerEmailPerHour })) === undefined
}

export async function requireLinkAllowance(tx: Queries, settings: Settings, tenantId: number): Promise<void> {
  const most = settings.signup.maxLinksPerEmailPerHour
  const wait = await tx.one(sql.waitForLink, { tenantId, purpose: 'confirm', most })
  if (wait === undefined) return
  const says = `A workspace is mailed ${counted(most, 'link')} in an hour`
  throw beyond(settings, { says, setting: 'MaxLinksPerEmailPerHour' }, wait.seconds)
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
