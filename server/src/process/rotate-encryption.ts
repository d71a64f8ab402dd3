import type { Keyring } from '../kernel/crypto/index.ts'
import { readMigrations } from '../kernel/db/index.ts'
import { MODULES } from '../modules.ts'
import { sealedKeys } from '../tenancy/access/index.ts'
import { queuedBodies, sealedBodies } from '../tenancy/events/index.ts'
import { sealedMails } from '../tenancy/mail/index.ts'
import { type Resealed, resealRows, type SealedRows } from '../tenancy/sealing/index.ts'
import { openSentinel, renewSentinel, sealedTenants } from '../tenancy/tenants/index.ts'
import { requireSchema } from './held-database.ts'
import { databaseOf, exitWith, keyringOf, MIGRATIONS, type StartUp, settingsOrExit } from './start-up.ts'

const foreignKeys = (missing: string | undefined, { keyIds }: Keyring): string =>
  `Nothing was sealed again, because none of these keys (${keyIds.join(', ')}) opens the stored secrets. ` +
  `Put the key that sealed them${missing === undefined ? '' : ` (${missing})`} into Encryption:PreviousKeys, ` +
  'or correct Encryption:Key, and run this again.'

/** Seals every stored secret with the current key. The old key stays in Encryption:PreviousKeys until this is done. */
export async function rotateEncryption(): Promise<void> {
  const startUp = settingsOrExit()
  const counts = await resealed(startUp, keyringOf(startUp.settings))
  const sum = (of: keyof Resealed) => counts.reduce((all, count) => all + count[of], 0)
  const unreadable = sum('unreadable')
  process.stdout.write(
    `${sum('resealed')} sealed again, ${sum('alreadyCurrent')} were current, ${unreadable} could not be opened.\n`,
  )
  process.stdout.write(
    unreadable === 0
      ? 'The previous keys are no longer needed. Remove them from Encryption:PreviousKeys.\n'
      : 'Put the key that sealed them into Encryption:PreviousKeys and run this again.\n',
  )
  process.exitCode = unreadable === 0 ? 0 : 1
}

async function resealed(startUp: StartUp, keyring: Keyring): Promise<readonly Resealed[]> {
  const { settings, log } = startUp
  const db = await databaseOf(startUp).catch(exitWith)
  // A build that does not know every sealed column would leave some out and still report success.
  const migrations = await readMigrations(MIGRATIONS).catch(exitWith)
  await requireSchema(db, migrations, settings).catch(exitWith)
  // With wrong keys nothing opens, and resealing the sentinel would make the wrong key look right.
  const sentinel = await openSentinel({ db, keyring }).catch(exitWith)
  if (!sentinel.opens) exitWith(foreignKeys(sentinel.missingKeyId, keyring))
  const house = { db, keyring, log }
  const counts: Resealed[] = []
  const reseal = async (...all: readonly SealedRows[]) => {
    for (const rows of all) counts.push(await resealRows(house, rows).catch(exitWith))
  }
  await reseal(sealedBodies, queuedBodies)
  // An event that was given up in the meantime has moved from the second table to the first.
  counts.push({ ...(await resealRows(house, sealedBodies).catch(exitWith)), alreadyCurrent: 0, unreadable: 0 })
  await reseal(sealedMails, sealedKeys, ...MODULES.flatMap(({ sealed = [] }) => sealed), ...sealedTenants)
  await renewSentinel(house).catch(exitWith)
  await db.close()
  return counts
}
