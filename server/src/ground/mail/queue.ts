import type { Language } from '@tether/contract'
import { foldAddress, hmacSha256, type Keyring, type Place } from '../../foundation/crypto/index.ts'
import type { Queries } from '../../foundation/db/index.ts'
import { newId } from '../../foundation/ids/index.ts'
import type { House } from '../context/index.ts'
import { isSameAddress, lockAddress, shareAddress } from '../tenants/index.ts'
import * as sql from './queries.ts'

export type MailToQueue = {
  readonly tenantId: number
  readonly kind: string
  readonly to: string
  readonly language: Language
  /** What the words need when the mail is sent. Sealed in the queue; still, no key and no token belongs here. */
  readonly fields: unknown
  /** About the workspace, not to it: to the operator, to its former address. Never held, and not listed to it. */
  readonly internal?: true
  /** At most so many of this kind in the window, to each recipient or to all of them. */
  readonly limit?: { readonly most: number; readonly windowMs: number; readonly per: 'recipient' | 'workspace' }
}

/** `not_sent`: this deployment sends no mail. `limited`: nothing was written. */
export type Queued = 'queued' | 'held' | 'not_sent' | 'limited'

type Needs = Pick<House, 'keyring' | 'settings'>

export const sendsMail = ({ mail }: House['settings']): boolean => mail.transport !== 'none'

/**
 * Writes a mail down in the transaction that it belongs to. Mail to anyone but the workspace's own address is held while
 * that address is unconfirmed; the row is read under a lock, so that a confirmation at the same moment misses none.
 */
export async function queueMail(tx: Queries, house: Needs, mail: MailToQueue): Promise<Queued> {
  if (!sendsMail(house.settings)) return 'not_sent'
  const { tenantId, kind, to } = mail
  const look = mail.limit === undefined ? shareAddress : lockAddress
  const onFile = await look(tx, house, tenantId)
  if (onFile === undefined) return 'not_sent'
  const recipientHash = hashOf(house.keyring, to)
  if (mail.limit !== undefined) {
    const { most, windowMs, per } = mail.limit
    const found = await tx.one(sql.countMails, {
      tenantId,
      kind,
      recipientHash: per === 'recipient' ? recipientHash : null,
      windowMs,
    })
    if ((found?.count ?? 0) >= most) return 'limited'
  }
  const own = onFile.email !== null && isSameAddress(onFile.email, to)
  const state = onFile.confirmedAt !== null || own || mail.internal === true ? 'queued' : 'held'
  const mailId = newId('evt')
  const sealed = house.keyring.seal(JSON.stringify({ to, fields: mail.fields }), placeOfMail(tenantId, mailId))
  const { language, internal = false } = mail
  await tx.run(sql.insertMail, { tenantId, mailId, kind, language, sealed, recipientHash, internal, state })
  return state
}

export const countHeld = async (db: Queries, tenantId: number): Promise<number> =>
  (await db.one(sql.countHeld, { tenantId }))?.count ?? 0

/** In the transaction that confirms the address. */
export const releaseHeld = (tx: Queries, tenantId: number): Promise<number> => tx.run(sql.releaseHeld, { tenantId })

export const placeOfMail = (tenantId: number, mailId: string): Place => ({
  table: 'mails',
  column: 'sealed',
  tenantId,
  row: mailId,
})

/** For counting only; keyed, so that the table tells nobody who was written to. */
function hashOf(keyring: Keyring, to: string): string {
  const [key] = keyring.derive('mail recipient v1')
  if (key === undefined) throw new Error('A keyring always holds a key.')
  return hmacSha256(key, foldAddress(to)).toString('hex')
}
