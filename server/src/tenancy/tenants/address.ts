import type { Language } from '@tether/contract'
import { foldAddress, foldForCounting, type Keyring, saltedHash } from '../../kernel/crypto/index.ts'
import type { Queries } from '../../kernel/db/index.ts'
import { type House, placeOf } from '../context/index.ts'
import * as sql from './queries.ts'

/** We recognise an address by this hash. Without a salt we keep none, because it could be guessed back. */
export function addressHash({ signup }: House['settings'], email: string): string | null {
  return signup.ipHashSalt === '' ? null : saltedHash(signup.ipHashSalt, 'email', foldAddress(email))
}

/** We count the workspaces of a person by this hash. It equals `addressHash` for a name without dots. */
export function countHash({ signup }: House['settings'], email: string): string | null {
  return signup.ipHashSalt === '' ? null : saltedHash(signup.ipHashSalt, 'email', foldForCounting(email))
}

/** Two spellings of one mailbox are the same address. */
export const isSameAddress = (one: string, other: string): boolean => foldAddress(one) === foldAddress(other)

export type AddressOnFile = {
  readonly name: string
  readonly email: string | null
  readonly emailHash: string | null
  readonly countHash: string | null
  readonly confirmedAt: Date | null
  readonly language: Language
}
export const languageOf = (asked: string | null | undefined): Language => (/^ka\b/i.test(asked ?? '') ? 'ka' : 'en')

type AddressHouse = { readonly keyring: Keyring }

const openRow = ({ keyring }: AddressHouse, row: sql.AddressRow): AddressOnFile => ({
  name: row.name,
  email: row.emailSealed === null ? null : keyring.open(row.emailSealed, placeOf(row.tenantId, 'email_sealed')),
  emailHash: row.emailHash,
  countHash: row.countHash ?? row.emailHash,
  confirmedAt: row.confirmedAt,
  language: languageOf(row.language),
})

const reading =
  (statement: typeof sql.shareAddress) =>
  async (tx: Queries, house: AddressHouse, tenantId: number): Promise<AddressOnFile | undefined> => {
    const row = await tx.one(statement, { tenantId })
    return row === undefined ? undefined : openRow(house, row)
  }

/** Reads the address under a shared lock, so that nobody confirms, changes or erases it before the transaction ends. */
export const shareAddress = reading(sql.shareAddress)

/**
 * Reads the address under the lock for changes to it and to all that depends on it, which happen one after the other.
 */
export const lockAddress = reading(sql.lockAddress)

/** Lists the live workspaces of an address, the newest first. */
export const tenantsOfAddress = (db: Queries, emailHash: string, limit: number) =>
  db.rows(sql.tenantsOfAddress, { emailHash, limit })

export const countAddress = async (
  db: Queries,
  hashes: { readonly countHash: string; readonly emailHash: string },
  but: number | null,
): Promise<number> => (await db.one(sql.countAddress, { ...hashes, but }))?.count ?? 0

/** Records that the address is proved. Whatever was held for it goes live in the same transaction. */
export const confirmAddress = (tx: Queries, tenantId: number): Promise<number> =>
  tx.run(sql.confirmAddress, { tenantId })

type NewAddress = { readonly email: string; readonly confirmed: boolean; readonly language: Language | null }

export async function changeAddress(
  tx: Queries,
  house: AddressHouse & Pick<House, 'settings'>,
  tenantId: number,
  { email, confirmed, language }: NewAddress,
): Promise<void> {
  const sealed = house.keyring.seal(email, placeOf(tenantId, 'email_sealed'))
  await tx.run(sql.changeAddress, {
    tenantId,
    sealed,
    emailHash: addressHash(house.settings, email),
    countHash: countHash(house.settings, email),
    confirmed,
    language,
  })
}

export const setLanguage = (tx: Queries, tenantId: number, language: Language): Promise<number> =>
  tx.run(sql.setLanguage, { tenantId, language })
