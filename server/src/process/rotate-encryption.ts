import { resealBodies } from '../features/events/index.ts'
import { resealKeys } from '../ground/access/index.ts'
import { resealMails } from '../ground/mail/index.ts'
import { type Resealed, resealAll } from '../ground/tenants/index.ts'
import { databaseOf, exitWith, keyringOf, settingsOrExit } from './start-up.ts'

/** Seals every stored secret with the key in force. The former key stands in Encryption:PreviousKeys until this is done. */
export async function rotateEncryption(): Promise<void> {
  const startUp = settingsOrExit()
  const { settings, log } = startUp
  const keyring = keyringOf(settings)
  const db = await databaseOf(startUp).catch(exitWith)
  // What the others hold first: the sentinel, which says that all is sealed anew, is written by the last.
  const counts: Resealed[] = []
  for (const again of [resealBodies, resealMails, resealKeys, resealAll]) {
    counts.push(await again({ db, keyring, log }).catch(exitWith))
  }
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
