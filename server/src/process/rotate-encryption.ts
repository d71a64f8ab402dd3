import { resealBodies, resealQueuedBodies } from '../features/events/index.ts'
import { readMigrations } from '../foundation/db/index.ts'
import { resealKeys } from '../ground/access/index.ts'
import { resealMails } from '../ground/mail/index.ts'
import type { Resealed } from '../ground/sealing/index.ts'
import { opensSentinel, resealAll } from '../ground/tenants/index.ts'
import { requireSchema } from './open-on.ts'
import { databaseOf, exitWith, keyringOf, MIGRATIONS, settingsOrExit } from './start-up.ts'

const FOREIGN_KEYS =
  'Nothing was sealed again: none of these keys is the one that the stored secrets were sealed with. ' +
  'Put that one into Encryption:PreviousKeys, or into Encryption:Key if that was mistaken, and run this again.'

/** Seals every stored secret with the key in force. The former key stands in Encryption:PreviousKeys until this is done. */
export async function rotateEncryption(): Promise<void> {
  const startUp = settingsOrExit()
  const { settings, log } = startUp
  const keyring = keyringOf(settings)
  const db = await databaseOf(startUp).catch(exitWith)
  // A build that does not know every column would seal some anew and call it all.
  const migrations = await readMigrations(MIGRATIONS).catch(exitWith)
  await requireSchema(db, migrations, settings).catch(exitWith)
  // Otherwise nothing would open, and the sentinel, sealed with a key that nothing else was, would call that key the right one.
  if (!(await opensSentinel({ db, keyring }).catch(exitWith))) exitWith(FOREIGN_KEYS)
  const counts: Resealed[] = []
  const run = async (again: typeof resealAll) => counts.push(await again({ db, keyring, log }).catch(exitWith))
  await run(resealBodies)
  await run(resealQueuedBodies)
  // An event that was given up meanwhile has gone from the second table to the first.
  counts.push({ ...(await resealBodies({ db, keyring, log }).catch(exitWith)), alreadyCurrent: 0, unreadable: 0 })
  await run(resealMails)
  await run(resealKeys)
  // The last: the sentinel, which says that all is sealed anew, is among what it writes.
  await run(resealAll)
  const sum = (of: keyof Resealed) => counts.reduce((all, count) => all + count[of], 0)
  const [resealed, alreadyCurrent, unreadable] = [sum('resealed'), sum('alreadyCurrent'), sum('unreadable')]
  process.stdout.write(`${resealed} sealed again, ${alreadyCurrent} were current, ${unreadable} could not be opened.\n`)
  process.stdout.write(
    unreadable === 0
      ? 'Nothing needs the previous keys any more: take them out of Encryption:PreviousKeys.\n'
      : 'Put the key that sealed them into Encryption:PreviousKeys and run this again.\n',
  )
  await db.close()
  process.exitCode = unreadable === 0 ? 0 : 1
}
