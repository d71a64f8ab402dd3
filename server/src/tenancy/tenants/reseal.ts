import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import { type House, placeOf } from '../context/index.ts'
import type { Resealed } from '../sealing/index.ts'
import * as sql from './seal-queries.ts'
import { SENTINEL_PLACE, SENTINEL_TEXT } from './sentinel.ts'

type Column = Parameters<typeof placeOf>[1]

/** Reseals every stored secret with the current key. It is safe to repeat, and safe while the service runs. */
export async function resealAll(house: Pick<House, 'db' | 'keyring' | 'log'>): Promise<Resealed> {
  const { db, keyring } = house
  const count: Resealed = { resealed: 0, alreadyCurrent: 0, unreadable: 0 }

  const again = (sealed: string | null, tenantId: number, column: Column): string | null => {
    if (sealed === null) return null
    if (!keyring.needsReseal(sealed)) {
      count.alreadyCurrent++
      return sealed
    }
    try {
      const place = placeOf(tenantId, column)
      const fresh = keyring.seal(keyring.open(sealed, place), place)
      count.resealed++
      return fresh
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error
      count.unreadable++
      house.log.warn(
        { tenantId, column, reason: error.message },
        'A stored secret does not open and was left as it is. Set it again, or add the key that sealed it.',
      )
      return sealed
    }
  }

  for (let after = 0; ; ) {
    const rows = await db.rows(sql.listSealed, { after, limit: 200 })
    const last = rows.at(-1)
    if (last === undefined) break
    for (const row of rows) {
      await db.run(sql.reseal, {
        tenantId: row.tenantId,
        oldSecret: row.signingSecret,
        newSecret: again(row.signingSecret, row.tenantId, 'signing_secret'),
        oldPrevious: row.previousSigningSecret,
        newPrevious: again(row.previousSigningSecret, row.tenantId, 'signing_secret'),
        oldTokenKey: row.customerTokenKey,
        newTokenKey: again(row.customerTokenKey, row.tenantId, 'customer_token_key'),
        oldEmail: row.emailSealed,
        newEmail: again(row.emailSealed, row.tenantId, 'email_sealed'),
      })
    }
    after = last.tenantId
  }
  await db.run(sql.replaceSentinel, { sealed: keyring.seal(SENTINEL_TEXT, SENTINEL_PLACE) })
  return count
}
