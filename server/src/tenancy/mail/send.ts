import type { House } from '../context/index.ts'
import { type Sweep, sweep, waitAfter } from '../jobs/index.ts'
import { languageOf } from '../tenants/index.ts'
import type { AnyMailKind } from './kinds.ts'
import { letterText, subjectOf } from './letter.ts'
import { letterHtml } from './letter-html.ts'
import * as sql from './queries.ts'
import type { MailTransport, Outgoing } from './transport.ts'

const BATCH = 20

type Sending = {
  readonly house: House
  readonly transport: MailTransport
  readonly kinds: ReadonlyMap<string, AnyMailKind>
}

/** Sends everything that is due now, and returns how many mails it handled. */
export async function sendDue(sending: Sending, signal: AbortSignal): Promise<number> {
  const { db, settings } = sending.house
  // Longer than a mail can take, because connecting, greeting and each answer have their own timeout.
  const leaseMs = settings.mail.smtp.timeoutSeconds * 1000 * 4 + 30_000
  const mails: Sweep = {
    name: 'mail',
    batch: BATCH,
    // The lease of a mail must not run out while it waits for another one to be sent.
    together: 1,
    look: (what) => db.rows(sql.listDue, what),
    async take({ tenantId, ids }) {
      const mails = await db.rows(sql.claimMails, { tenantId, ids, leaseMs })
      for (const mail of mails) await sendOne(sending, mail, signal)
      return { taken: mails.length }
    },
  }
  return await sweep(sending.house, mails, signal)
}

async function sendOne(sending: Sending, mail: sql.DueMail, signal: AbortSignal): Promise<void> {
  const { house, transport } = sending
  const startedAt = performance.now()
  const fault = await trySending(sending, mail, async (outgoing) => transport.send(outgoing, signal))
  const { tenantId, mailId, kind } = mail
  if (fault === 'nothing to say') {
    await house.db.run(sql.dropMail, { tenantId, mailId, attempt: mail.attempt })
    return
  }
  const durationMs = Math.round(performance.now() - startedAt)
  await settleAttempt(sending, mail, fault, durationMs)
  if (fault === undefined) house.log.info({ tenantId, mailId, kind, attempt: mail.attempt, durationMs }, 'mail sent')
  else
    house.log.warn({ tenantId, mailId, kind, attempt: mail.attempt, reason: fault.error }, 'A mail was not accepted.')
}

/** Returns undefined if the mail was accepted. */
async function trySending(
  { house, kinds }: Sending,
  mail: sql.DueMail,
  send: (outgoing: Outgoing) => Promise<void>,
): Promise<MailFault | 'nothing to say' | undefined> {
  if (mail.attempt > house.settings.events.maxAttempts)
    return { ...BROKEN, error: 'interrupted: the processes that were sending it ended' }
  try {
    const outgoing = await compose(house, kinds, mail)
    if (outgoing === null) return 'nothing to say'
    await send(outgoing)
    return undefined
  } catch (error) {
    if (error instanceof Unwritable) {
      house.log.error({ tenantId: mail.tenantId, kind: mail.kind, error: error.cause }, 'A mail could not be written.')
      return { ...BROKEN, error: 'unwritable: the service could not make the mail', forGood: false }
    }
    return faultOf(error)
  }
}

const BROKEN: MailFault = { statusCode: null, error: '', forGood: true }

class Unwritable extends Error {
  override readonly name = 'Unwritable'
}

async function compose(
  house: House,
  kinds: ReadonlyMap<string, AnyMailKind>,
  { tenantId, mailId, kind, sealed, ...mail }: sql.DueMail,
): Promise<Outgoing | null> {
  try {
    const writer = kinds.get(kind)
    if (writer === undefined) throw new Error(`No room here writes mails of the kind "${kind}".`)
    const language = languageOf(mail.language)
    const { to, fields } = asQueued(house.keyring.open(sealed, sql.sealedMails.place(tenantId, mailId)))
    const letter = await writer.compose(house, { tenantId, language, to, fields })
    if (letter === null) return null
    const subject = subjectOf(letter)
    return { id: mailId, to, language, subject, text: letterText(letter), html: letterHtml(letter, language) }
  } catch (error) {
    throw new Unwritable('A mail could not be written.', { cause: error })
  }
}

/** The cast is true because this opened in its own place, and only `queueMail` can have sealed it there. */
const asQueued = (text: string) => JSON.parse(text) as { to: string; fields: unknown }

async function settleAttempt(
  { house }: Sending,
  { tenantId, mailId, attempt: at }: sql.DueMail,
  fault: MailFault | undefined,
  durationMs: number,
): Promise<void> {
  const { statusCode = 250, error = null, forGood = false } = fault ?? {}
  const waitSeconds = fault === undefined || forGood ? null : waitAfter(at, house.settings.events, Math.random())
  const state = fault === undefined ? 'sent' : waitSeconds === null ? 'failed' : 'queued'
  const waitMs = waitSeconds === null ? null : Math.round(waitSeconds * 1000)
  await house.db.run(sql.settleMail, { tenantId, mailId, attempt: at, state, statusCode, error, durationMs, waitMs })
}

/** Why a mail was not accepted. The words must not contain an address, because we keep and show them. */
type MailFault = { readonly statusCode: number | null; readonly error: string; readonly forGood: boolean }

type SmtpError = { readonly code?: unknown; readonly responseCode?: unknown; readonly command?: unknown }

// Refusals about this mail or its recipient. One about us (a wrong password, a full server) may pass.
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE'])
const TIMEOUTS = new Set(['ETIMEDOUT', 'ETIMEOUT'])

function faultOf(error: unknown): MailFault {
  const { code, responseCode } = error as SmtpError
  const name = typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : 'no reason given'
  if (typeof responseCode === 'number' && responseCode >= 100) {
    const forGood = responseCode >= 500 && ABOUT_THE_MAIL.has(name)
    return { statusCode: responseCode, error: `the receiver answered ${responseCode}`, forGood }
  }
  if (TIMEOUTS.has(name)) return { statusCode: null, error: 'timeout: the mail server did not answer', forGood: false }
  return { statusCode: null, error: `unreachable: ${name}`, forGood: false }
}
