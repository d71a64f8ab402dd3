import type { Language } from '@tether/contract'
import type { Queries } from '../../kernel/db/index.ts'
import type { AnyoneAsking, Context } from '../context/index.ts'
import { type MailRoom, queueMail } from '../mail/index.ts'
import { type CreatedTenant, checkedEmail, checkedName, createTenant, languageOf } from '../tenants/index.ts'
import {
  callerHash,
  refuseBeyondLimits,
  refuseDisposable,
  refuseUsedAddress,
  requireLinks,
  requireOpen,
  requireSalt,
  unavailable,
} from './admission.ts'
import { confirmationOf, exportLines, NOTICE, nextSteps } from './answers.ts'
import { CONFIRMATION, SIGNUP_NOTICE } from './letters.ts'
import { type Addition, newLink, type OpenClaim } from './links.ts'
import * as sql from './queries.ts'

export type Anyone = Context<AnyoneAsking>
export type SignupParts = {
  readonly mail: Pick<MailRoom, 'ready'>
  /** Absent if no module of this deployment seals claims into links. */
  readonly openClaim?: OpenClaim
}
type SignUpRequest = { readonly email: string; readonly name: string; readonly language: Language }
type SignUpInput = { readonly email: string; readonly name: string; readonly language?: string | undefined }

/** Turns a stranger into a tenant with one request. */
export async function signUp(ctx: Anyone, parts: Pick<SignupParts, 'mail'>, input: SignUpInput) {
  const wanted = await admitSignUp(ctx, parts, input)
  return await createWorkspace(ctx, wanted, { confirmed: !ctx.settings.signup.verifyEmail })
}

/** Makes every check of a sign-up that needs no lock. */
export async function admitSignUp(
  ctx: Anyone,
  { mail }: Pick<SignupParts, 'mail'>,
  input: SignUpInput,
): Promise<SignUpRequest> {
  const { settings } = ctx
  requireOpen(settings)
  requireSalt(settings)
  const { verifyEmail } = settings.signup
  if (verifyEmail) requireLinks(settings)
  const wanted = checkedRequest(ctx, input)
  // First check the limits without the lock, because most refusals do not need it.
  await refuseBeyondLimits(ctx.db, settings, callerHash(ctx))
  await refuseUsedAddress(ctx.db, settings, wanted.email)
  if (verifyEmail && !(await mail.ready())) throw unavailable('mail_failed')
  return wanted
}

export function checkedRequest({ settings }: Anyone, { email, name, language }: SignUpInput): SignUpRequest {
  const wanted = { email: checkedEmail(email), name: checkedName(name), language: languageOf(language) }
  refuseDisposable(settings, wanted.email)
  return wanted
}

type CreationOptions = {
  readonly confirmed: boolean
  /** Makes further checks and writes under the lock. */
  readonly once?: (tx: Queries) => Promise<void>
  readonly addition?: Addition
}

/**
 * Creates a workspace under the lock of all sign-ups, so that nobody else can add to the counts of limits and
 * addresses.
 */
export async function createWorkspace(
  ctx: Anyone,
  wanted: SignUpRequest,
  { confirmed, once, addition }: CreationOptions,
) {
  const { settings, keyring } = ctx
  const caller = callerHash(ctx)
  const { email, name, language } = wanted
  const made = await ctx.db.transaction(async (tx) => {
    await tx.rows(sql.lockSignups)
    await refuseBeyondLimits(tx, settings, caller)
    await refuseUsedAddress(tx, settings, email)
    await once?.(tx)
    const house = { settings, keyring, db: tx }
    const tenant = await createTenant(house, { name, email, language, plan: 'free', selfServe: true, confirmed })
    await addition?.write(tx, tenant.tenantId)
    await tx.run(sql.noteInTally, { kind: 'signup', hash: caller })
    if (!confirmed) await mailConfirmation(tx, ctx, { tenantId: tenant.tenantId, email, language })
    await tellOperator(tx, ctx, tenant.tenantId, wanted)
    return tenant
  })
  return signUpAnswer(ctx, wanted, made, { confirmed, more: addition?.nextSteps ?? [] })
}

export async function mailConfirmation(
  tx: Queries,
  ctx: Pick<Anyone, 'settings' | 'keyring' | 'clock'>,
  { tenantId, email, language }: { tenantId: number; email: string; language: Language },
) {
  const linkId = await newLink(tx, ctx, tenantId, 'confirm')
  const fields = { linkId, minutes: ctx.settings.signup.linkLifetimeMinutes }
  return await queueMail(tx, ctx, { tenantId, kind: CONFIRMATION, to: email, language, fields })
}

async function tellOperator(tx: Queries, ctx: Anyone, tenantId: number, { email, name }: SignUpRequest): Promise<void> {
  const to = ctx.settings.signup.notifyAddress
  if (to === '') return
  const fields = { name, email, at: ctx.clock.now() }
  await queueMail(tx, ctx, { tenantId, kind: SIGNUP_NOTICE, to, language: 'en', fields, internal: true })
}

type Way = { readonly confirmed: boolean; readonly more: readonly string[] }

function signUpAnswer({ settings }: Anyone, { name, email }: SignUpRequest, made: CreatedTenant, way: Way) {
  const { confirmed, more } = way
  const { tenantId, apiKey, keyPrefix, signingSecret } = made
  const apiBaseUrl = settings.http.publicUrl
  return {
    tenantId,
    name,
    plan: 'free' as const,
    apiKey,
    keyPrefix,
    signingSecret,
    emailConfirmed: confirmed,
    confirmation: confirmationOf(confirmed ? null : email),
    exportLines: exportLines(settings, apiKey, signingSecret),
    mcpUrl: `${apiBaseUrl}/mcp`,
    apiBaseUrl,
    nextSteps: nextSteps(confirmed, more),
    notice: NOTICE,
  }
}
