import type { Language } from '@tether/contract'
import { foldAddress, type Keyring, saltedHash } from '../../foundation/crypto/index.ts'
import type { Queries } from '../../foundation/db/index.ts'
import { type House, placeOf } from '../context/index.ts'
import * as sql from './queries.ts'

/** How an address is recognised when it comes again. Without a salt nothing is kept that could be guessed back. */
export function addressHash({ signup }: House['settings'], email: string): string | null {
  return signup.ipHashSalt === '' ? null : saltedHash(signup.ipHashSalt, 'email', foldAddress(email))
}

/** Another spelling of the same mailbox is the same address. */
export const isSameAddress = (one: string, other: string): boolean => foldAddress(one) === foldAddress(other)

export type AddressOnFile = {
  readonly name: string
  readonly email: string | null
  readonly emailHash: string | null
  readonly confirmedAt: Date | null
  readonly language: Language
}
export const languageOf = (asked: string | null | undefined): Language => (/^ka\b/i.test(asked ?? '') ? 'ka' : 'en')

type Sealing = { readonly keyring: Keyring }

const opened = ({ keyring }: Sealing, row: sql.AddressRow): AddressOnFile => ({
  name: row.name,
  email: row.emailSealed === null ? null : keyring.open(row.emailSealed, placeOf(row.tenantId, 'email_sealed')),
  emailHash: row.emailHash,
  confirmedAt: row.confirmedAt,
  language: languageOf(row.language),
})

/** Under a share of the row: until the transaction ends the address is neither confirmed nor changed nor erased. */
export async function shareAddress(tx: Queries, house: Sealing, tenantId: number): Promise<AddressOnFile | undefined> {
  const row = await tx.one(sql.shareAddress, { tenantId })
  return row === undefined ? undefined : opened(house, row)
}

/** Under the lock in which the address and everything that hangs on it changes, one change after the other. */
export async function lockAddress(tx: Queries, house: Sealing, tenantId: number): Promise<AddressOnFile | undefined> {
  const row = await tx.one(sql.lockAddress, { tenantId })
  return row === undefined ? undefined : opened(house, row)
}

/** The live workspaces of an address, the newest first. */
export const tenantsOfAddress = (db: Queries, emailHash: string, limit: number) =>
  db.rows(sql.tenantsOfAddress, { emailHash, limit })

export const countAddress = async (db: Queries, emailHash: string, but: number | null): Promise<number> =>
  (await db.one(sql.countAddress, { emailHash, but }))?.count ?? 0

/** The address is proved: what was held for it goes live in the same transaction. */
export const confirmAddress = (tx: Queries, tenantId: number): Promise<number> =>
  tx.run(sql.confirmAddress, { tenantId })

type NewAddress = { readonly email: string; readonly confirmed: boolean; readonly language: Language | null }

export async function changeAddress(
  tx: Queries,
  house: Sealing & Pick<House, 'settings'>,
  tenantId: number,
  { email, confirmed, language }: NewAddress,
): Promise<void> {
  const sealed = house.keyring.seal(email, placeOf(tenantId, 'email_sealed'))
  await tx.run(sql.changeAddress, {
    tenantId,
    sealed,
    emailHash: addressHash(house.settings, email),
    confirmed,
    language,
  })
}

export const setLanguage = (tx: Queries, tenantId: number, language: Language): Promise<number> =>
  tx.run(sql.setLanguage, { tenantId, language })
