import { type Language, RESEND } from '@tether/contract'
import type { Queries } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../context/index.ts'
import { countHeld, queueMail } from '../mail/index.ts'
import {
  type AddressOnFile,
  changeAddress,
  checkedEmail,
  isSameAddress,
  languageOf,
  lockAddress,
  noTenant,
  openAddress,
  setLanguage,
  tenantOf,
} from '../tenants/index.ts'
import {
  callerHash,
  noteLeftAddress,
  refuseDisposable,
  refuseUsedAddress,
  requireLinkAllowance,
  requireMail,
  requireSalt,
  takeLinkOfCaller,
} from './admission.ts'
import { waitsOf } from './answers.ts'
import { ADDRESS_NOTICE } from './letters.ts'
import * as sql from './queries.ts'
import { mailConfirmation } from './sign-up.ts'

export async function readConfirmation(ctx: Context) {
  const tenant = await tenantOf(ctx, ctx.asking.tenantId)
  const confirmed = tenant.emailConfirmedAt !== null
  return {
    required: ctx.settings.signup.verifyEmail || !confirmed,
    confirmed,
    confirmedAt: tenant.emailConfirmedAt?.toISOString() ?? null,
    email: openAddress(ctx, tenant),
    heldMail: await countHeld(ctx.db, ctx.asking.tenantId),
    waits: waitsOf(confirmed),
    resend: RESEND,
  }
}

type ConfirmationInput = { readonly email?: string | undefined; readonly language?: string | undefined }

/**
 * Mails a new link to the address on file, or to another one, which then becomes the workspace's unconfirmed address. Where
 * addresses are not confirmed, the workspace moves to the other one and stays confirmed.
 */
export async function askConfirmation(ctx: Context, input: ConfirmationInput) {
  const { tenantId } = ctx.asking
  const asked = input.email === undefined ? null : checkedEmail(input.email)
  await refuseEarly(ctx, asked)
  const { email, confirmed, sent } = await ctx.db.transaction(async (tx) => {
    // A new address is counted under the lock of all sign-ups, which comes before every other lock.
    if (asked !== null) await tx.rows(sql.lockSignups)
    const caller = await lockAndCountCaller(tx, ctx)
    const onFile = await lockAddress(tx, ctx, tenantId)
    if (onFile === undefined) throw noTenant()
    const email = addressToConfirm(onFile, asked)
    const changes = onFile.email === null || !isSameAddress(onFile.email, email)
    if (changes) await requireFree(tx, ctx, email)
    const confirmed = staysConfirmed(ctx, onFile)
    if (!confirmed) await requireLinkAllowance(tx, ctx.settings, tenantId)
    const language = input.language === undefined ? onFile.language : languageOf(input.language)
    if (changes) await moveTo(tx, ctx, onFile, { email, confirmed, language })
    else if (language !== onFile.language) await setLanguage(tx, tenantId, language)
    await tx.run(sql.noteInTally, { kind: 'link', hash: caller })
    if (confirmed) return { email, confirmed, sent: false }
    const status = await mailConfirmation(tx, ctx, { tenantId, email, language })
    return { email, confirmed, sent: status !== 'not_sent' }
  })
  const heldMail = await countHeld(ctx.db, tenantId)
  return { confirmed, sent, email, heldMail, waits: waitsOf(confirmed), resend: RESEND }
}

/** Where addresses are not confirmed, moving to another one starts no confirmation. */
const staysConfirmed = ({ settings }: Context, { confirmedAt }: Pick<AddressOnFile, 'confirmedAt'>): boolean =>
  !settings.signup.verifyEmail && confirmedAt !== null

/** Makes the checks that need no lock and use nobody's allowance. */
async function refuseEarly(ctx: Context, asked: string | null): Promise<void> {
  const tenant = await tenantOf(ctx, ctx.asking.tenantId)
  const onFile = { email: openAddress(ctx, tenant), confirmedAt: tenant.emailConfirmedAt }
  addressToConfirm(onFile, asked)
  if (!staysConfirmed(ctx, onFile)) requireMail(ctx.settings)
  requireSalt(ctx.settings)
}

async function lockAndCountCaller(tx: Queries, ctx: Context): Promise<string> {
  const caller = callerHash(ctx)
  await takeLinkOfCaller(tx, ctx.settings, caller)
  return caller
}

type CurrentAddress = Pick<AddressOnFile, 'email' | 'confirmedAt'>

function addressToConfirm({ email, confirmedAt }: CurrentAddress, asked: string | null): string {
  const other = asked !== null && (email === null || !isSameAddress(email, asked)) ? asked : null
  if (other !== null) return other
  if (confirmedAt !== null) {
    throw refuse(
      'already_confirmed',
      'The address is already confirmed. Send `email` to move the workspace to another address.',
    )
  }
  if (email === null)
    throw refuse('invalid_email', 'This workspace has no address. Send the address to confirm in `email`.')
  return email
}

async function requireFree(tx: Queries, ctx: Context, email: string): Promise<void> {
  refuseDisposable(ctx.settings, email)
  await refuseUsedAddress(tx, ctx.settings, email, ctx.asking.tenantId)
}

/**
 * Every link to the former address stops working. If that address was confirmed, it stays taken for everybody else, so
 * that nobody gets two workspaces by moving. We also notify it, because whoever moves a workspace takes over its
 * recovery.
 */
async function moveTo(
  tx: Queries,
  ctx: Context,
  former: AddressOnFile,
  to: { readonly email: string; readonly confirmed: boolean; readonly language: Language },
): Promise<void> {
  const { tenantId } = ctx.asking
  if (former.confirmedAt !== null && former.countHash !== null && former.email !== null) {
    await noteLeftAddress(tx, ctx.settings, tenantId, former.countHash)
    const fields = { name: former.name, at: ctx.clock.now() }
    const notice = { tenantId, kind: ADDRESS_NOTICE, to: former.email, language: former.language, fields }
    await queueMail(tx, ctx, { ...notice, internal: true })
  }
  await tx.run(sql.supersedeLinks, { tenantId })
  await changeAddress(tx, ctx, tenantId, to)
}
