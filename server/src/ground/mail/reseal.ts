import { SecretUnreadable } from '../../foundation/crypto/index.ts'
import type { House } from '../context/index.ts'
import * as sql from './queries.ts'
import { placeOfMail } from './queue.ts'

type Resealed = { resealed: number; alreadyCurrent: number; unreadable: number }

/** Mails that wait are sealed too, and some wait for long: a rotation of the encryption key takes them along. */
export async function resealMails({ db, keyring, log }: Pick<House, 'db' | 'keyring' | 'log'>): Promise<Resealed> {
  const count: Resealed = { resealed: 0, alreadyCurrent: 0, unreadable: 0 }
  for (let after: [number, string] = [0, '']; ; ) {
    const rows = await db.rows(sql.listSealedMails, [...after, 200])
    const last = rows.at(-1)
    if (last === undefined) return count
    for (const { tenantId, mailId, sealed } of rows) {
      if (!keyring.needsReseal(sealed)) {
        count.alreadyCurrent++
        continue
      }
      try {
        const place = placeOfMail(tenantId, mailId)
        await db.run(sql.resealMail, [tenantId, mailId, sealed, keyring.seal(keyring.open(sealed, place), place)])
        count.resealed++
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error
        count.unreadable++
        log.warn({ tenantId, error }, 'A waiting mail does not open and was left as it is.')
      }
    }
    after = [last.tenantId, last.mailId]
  }
}
