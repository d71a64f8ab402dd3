import { SecretUnreadable } from '../../foundation/crypto/index.ts'
import type { House } from '../../ground/context/index.ts'
import { listSealedBodies, resealBody } from './queries.ts'
import { bodyPlace } from './sealed-body.ts'

const PAGE = 200

/** Seals the kept bodies of undelivered events with the key in force. Safe to repeat, and safe beside a running service. */
export async function resealBodies({ db, keyring, log }: Pick<House, 'db' | 'keyring' | 'log'>) {
  const count = { resealed: 0, alreadyCurrent: 0, unreadable: 0 }
  const again = async (tenantId: number, eventId: string, sealed: string): Promise<void> => {
    if (!keyring.needsReseal(sealed)) return void count.alreadyCurrent++
    try {
      const place = bodyPlace(tenantId, eventId)
      await db.run(resealBody, [tenantId, eventId, sealed, keyring.seal(keyring.open(sealed, place), place)])
      count.resealed++
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error
      count.unreadable++
      log.warn({ tenantId, eventId, error }, 'The body of an undelivered event does not open and was left as it is.')
    }
  }
  for (let after: readonly [number, string] = [0, '']; ; ) {
    const rows = await db.rows(listSealedBodies, [...after, PAGE])
    for (const { tenantId, eventId, sealedBody } of rows) await again(tenantId, eventId, sealedBody)
    const last = rows.at(-1)
    if (last === undefined) return count
    after = [last.tenantId, last.eventId]
  }
}
