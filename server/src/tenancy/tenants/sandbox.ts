// A sandbox is a tenant that nobody owns. It has one key, and leaves no tombstone, because it never had an address.
import type { Queries, Transaction } from '../../kernel/db/index.ts'
import { mintKey } from '../access/index.ts'
import type { House } from '../context/index.ts'
import { takeTenantId } from './create.ts'
import {
  announceErasure,
  deleteSandbox,
  erasures,
  lockForErasure,
  resetSandbox,
  TENANT_TABLES,
} from './erase-queries.ts'
import { insertSandbox } from './queries.ts'

export type CreatedSandbox = { readonly tenantId: number; readonly key: string; readonly prefix: string }

/** `keySeconds` is how long its key is known, which is longer than it opens anything. */
export async function createSandbox(
  tx: Queries,
  { keyring }: Pick<House, 'keyring'>,
  name: string,
  keySeconds: number,
): Promise<CreatedSandbox> {
  const tenantId = await takeTenantId(tx)
  const { key, hash, prefix } = mintKey(keyring, 'sandbox', tenantId)
  await tx.run(insertSandbox, { tenantId, name, hash, prefix, keySeconds })
  return { tenantId, key, prefix }
}

/** What a sandbox that has ended still needs: to be known by its key, and to be counted. */
const STAYS: readonly string[] = ['keys', 'sandboxes', 'spend']

const contents = erasures.filter((_, at) => !STAYS.includes(TENANT_TABLES[at] ?? ''))

/** Erases what was read and said in a sandbox, in the transaction that ends it. */
export async function emptySandbox(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run(resetSandbox, { tenantId })
  await announceErasure(tx, tenantId)
  for (const erasure of contents) await tx.run(erasure, { tenantId })
}

/** Erases a sandbox for good. Returns false if it is none, or gone already. */
export async function eraseSandbox({ db }: Pick<House, 'db'>, tenantId: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.rows(lockForErasure, { tenantId })
    // The row goes first: whoever writes for it from now on finds no tenant.
    if ((await tx.run(deleteSandbox, { tenantId })) === 0) return false
    await announceErasure(tx, tenantId)
    for (const erasure of erasures) await tx.run(erasure, { tenantId })
    return true
  })
}
