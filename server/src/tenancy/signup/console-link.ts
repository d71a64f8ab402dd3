// How the owner comes into the console without a key: by a link that is mailed to the confirmed address.
import type { Language } from '@tether/contract'
import type { Queries } from '../../kernel/db/index.ts'
import { newConsoleToken } from '../access/index.ts'
import type { House } from '../context/index.ts'
import { queueMail } from '../mail/index.ts'
import { addressHash, checkedEmail, languageOf, lockAddress } from '../tenants/index.ts'
import { callerHash, mayHaveLink, requireMail, requireSalt, takeLinkOfCaller, unavailable } from './admission.ts'
import { answerAsked } from './answer-asked.ts'
import * as sql from './console-queries.ts'
import { CONSOLE_LINK } from './letters.ts'
import { invalidLink, lifetimeMinutes, newLink, openAccountLink } from './links.ts'
import type { Anyone } from './sign-up.ts'

const HOUR_SECONDS = 3600

/** Does the same work for every address, as a recovery does: `answerConsoleRequests` finds out later whose it is. */
export async function askConsoleLink(ctx: Anyone, input: { email: string; language: Language }): Promise<void> {
  const { settings } = ctx
  requireSalt(settings)
  requireMail(settings)
  const emailHash = addressHash(settings, checkedEmail(input.email))
  if (emailHash === null) throw unavailable('misconfigured')
  const caller = callerHash(ctx)
  await ctx.db.transaction(async (tx) => {
    await takeLinkOfCaller(tx, settings, caller)
    await tx.run(sql.askConsole, { emailHash, callerHash: caller, language: input.language })
  })
}

/** Mails the links that were asked for. */
export const answerConsoleRequests = (house: House, signal: AbortSignal): Promise<number> =>
  answerAsked(house, signal, {
    ...sql.consoleRequests,
    what: 'A link to the console',
    mail: (tx, tenantId, asked) => mailLink(tx, house, tenantId, asked),
  })

/** An address that nobody has confirmed may be anybody's, so it is mailed nothing that opens a workspace. */
async function mailLink(tx: Queries, house: House, tenantId: number, asked: sql.ConsoleRequest): Promise<void> {
  const onFile = await lockAddress(tx, house, tenantId)
  if (onFile === undefined || onFile.email === null || onFile.confirmedAt === null) return
  if (onFile.emailHash !== asked.emailHash || !(await mayHaveLink(tx, house.settings, tenantId, 'console'))) return
  const linkId = await newLink(tx, house, tenantId, 'console')
  const fields = { linkId, minutes: lifetimeMinutes(house.settings).console }
  const language = languageOf(asked.language)
  await queueMail(tx, house, { tenantId, kind: CONSOLE_LINK, to: onFile.email, language, fields })
}

/** Spends the link, once: of two at the same moment one opens a session. */
export async function openConsoleByLink(house: House, linkToken: string) {
  const { tenantId, linkId } = openAccountLink(house, 'console', linkToken)
  const { token, hash } = newConsoleToken()
  const lifetimeSeconds = house.settings.userSessions.lifetimeHours * HOUR_SECONDS
  const opened = await house.db.one(sql.openByLink, { tenantId, linkId, hash, lifetimeSeconds })
  if (opened === undefined) throw invalidLink('console')
  return { tenantId, token, expiresAt: opened.expiresAt }
}
