import type { Language } from '@tether/contract'
import { foldAddress, hmacSha256, type Keyring } from '../../kernel/crypto/index.ts'
import type { Queries } from '../../kernel/db/index.ts'
import { newId } from '../../kernel/ids/index.ts'
import type { House } from '../context/index.ts'
import { isSameAddress, lockAddress, shareAddress } from '../tenants/index.ts'
import * as sql from './queries.ts'

export type MailToQueue = {
  readonly tenantId: number
  readonly kind: string
  readonly to: string
  readonly language: Language
  /**
   * What the words need when the mail is sent. They are sealed in the queue, but even so must not hold a key or a
   * token.
   */
  readonly fields: unknown
  /**
   * The mail is about the workspace, not to it: to the operator, or to its former address. It is never held, and not
   * listed to the workspace.
   */
  readonly internal?: true
  /** The most mails of this kind in the window, to each recipient or to all of them. */
  readonly limit?: Bound & { readonly per: 'recipient' | 'workspace' }
  /** The most recipients of this kind in the window. Whoever is one of them already may have more. Needs a `limit`, too. */
  readonly reach?: Bound
}

type Bound = { readonly most: number; readonly windowMs: number }

/** `not_sent` means that this deployment sends no mail; `limited` that nothing was queued. */
export type Queued = 'queued' | 'held' | 'not_sent' | 'limited'

type QueueHouse = Pick<House, 'keyring' | 'settings'>

export const sendsMail = ({ mail }: House['settings']): boolean => mail.transport !== 'none'

/**
 * Queues a mail in the transaction that it belongs to. Mail to anyone but the workspace's own address is held while
 * that address is unconfirmed. The row is read under a lock, so that a confirmation at the same moment misses no mail.
 */
export async function queueMail(tx: Queries, house: QueueHouse, mail: MailToQueue): Promise<Queued> {
  if (!sendsMail(house.settings)) return 'not_sent'
  const { tenantId, kind, to } = mail
  const look = mail.limit === undefined ? shareAddress : lockAddress
  const onFile = await look(tx, house, tenantId)
  if (onFile === undefined) return 'not_sent'
  const recipientHash = hashOfRecipient(house.keyring, to)
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
  if (mail.reach !== undefined && !own) {
    const { most, windowMs } = mail.reach
    const others = await tx.one(sql.countOtherRecipients, { tenantId, kind, recipientHash, windowMs })
    if ((others?.count ?? 0) >= most) return 'limited'
  }
  const state = onFile.confirmedAt !== null || own || mail.internal === true ? 'queued' : 'held'
  const mailId = newId('evt')
  const sealed = house.keyring.seal(
    JSON.stringify({ to, fields: mail.fields }),
    sql.sealedMails.place(tenantId, mailId),
  )
  const { language, internal = false } = mail
  await tx.run(sql.insertMail, { tenantId, mailId, kind, language, sealed, recipientHash, internal, state })
  return state
}

export const countHeld = async (db: Queries, tenantId: number): Promise<number> =>
  (await db.one(sql.countHeld, { tenantId }))?.count ?? 0

/** Runs in the transaction that confirms the address. */
export const releaseHeld = (tx: Queries, tenantId: number): Promise<number> => tx.run(sql.releaseHeld, { tenantId })

/** Used only to count. It is keyed, so that the table does not reveal the recipients. */
function hashOfRecipient(keyring: Keyring, to: string): string {
  const [key] = keyring.derive('mail recipient v1')
  if (key === undefined) throw new Error('The keyring holds no key, but it always should.')
  return hmacSha256(key, foldAddress(to)).toString('hex')
}
