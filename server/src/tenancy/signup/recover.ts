import type { Queries } from '../../kernel/db/index.ts'
import type { House } from '../context/index.ts'
import { queueMail } from '../mail/index.ts'
import { addressHash, checkedEmail, languageOf, lockAddress } from '../tenants/index.ts'
import { callerHash, mayHaveLink, requireMail, requireSalt, takeLinkOfCaller, unavailable } from './admission.ts'
import { answerAsked } from './answer-asked.ts'
import { RECOVERY_LINK } from './letters.ts'
import { newLink } from './links.ts'
import * as sql from './queries.ts'
import type { Anyone } from './sign-up.ts'

/**
 * Does the same work and gives the same answer for every address: it writes one row that says who asked.
 * `answerRecoveries` finds out later whether there is a workspace, when no caller is waiting who could tell from the
 * time it takes.
 */
export async function recover(ctx: Anyone, input: { email: string; language?: string | undefined }) {
  const { settings } = ctx
  requireSalt(settings)
  requireMail(settings)
  const email = checkedEmail(input.email)
  const emailHash = addressHash(settings, email)
  if (emailHash === null) throw unavailable('misconfigured')
  const caller = callerHash(ctx)
  const language = input.language === undefined ? null : languageOf(input.language)
  await ctx.db.transaction(async (tx) => {
    await takeLinkOfCaller(tx, settings, caller)
    await tx.run(sql.askRecovery, { emailHash, callerHash: caller, language })
  })
  return {
    accepted: true as const,
    email,
    message: 'If this address has a workspace, a link to a new key is on its way. It works once and for a short time.',
  }
}

/** Mails the links that were asked for. */
export const answerRecoveries = (house: House, signal: AbortSignal): Promise<number> =>
  answerAsked(house, signal, {
    ...sql.recoveries,
    what: 'A recovery link',
    mail: (tx, tenantId, asked) => mailLink(tx, house, tenantId, asked),
  })

/** Mails the address on file, never one that was typed. Beyond the workspace's limit it sends nothing. */
async function mailLink(tx: Queries, house: House, tenantId: number, asked: sql.RecoveryRequest): Promise<void> {
  const onFile = await lockAddress(tx, house, tenantId)
  if (onFile === undefined || onFile.email === null || onFile.emailHash !== asked.emailHash) return
  if (!(await mayHaveLink(tx, house.settings, tenantId, 'recover'))) return
  const linkId = await newLink(tx, house, tenantId, 'recover')
  await tx.run(sql.noteRecovery, { tenantId, callerHash: asked.callerHash })
  const language = asked.language === null ? onFile.language : languageOf(asked.language)
  const fields = { linkId, minutes: house.settings.signup.recoveryLinkLifetimeMinutes }
  await queueMail(tx, house, { tenantId, kind: RECOVERY_LINK, to: onFile.email, language, fields })
}
