import { resealKeys } from '../ground/access/index.ts'
import { resealMails } from '../ground/mail/index.ts'
import { resealAll } from '../ground/tenants/index.ts'
import { databaseOf, exitWith, keyringOf, settingsOrExit } from './start-up.ts'

/** Seals every stored secret with the key in force. The former key stands in Encryption:PreviousKeys until this is done. */
export async function rotateEncryption(): Promise<void> {
  const startUp = settingsOrExit()
  const { settings, log } = startUp
  const keyring = keyringOf(settings)
  const db = await databaseOf(startUp).catch(exitWith)
  // What the others hold first: the sentinel, which says that all is sealed anew, is written by the second.
  const mails = await resealMails({ db, keyring, log }).catch(exitWith)
  const keys = await resealKeys({ db, keyring, log }).catch(exitWith)
  const stored = await resealAll({ db, keyring, log }).catch(exitWith)
  const resealed = stored.resealed + mails.resealed + keys.resealed
  const alreadyCurrent = stored.alreadyCurrent + mails.alreadyCurrent + keys.alreadyCurrent
  const unreadable = stored.unreadable + mails.unreadable + keys.unreadable
  process.stdout.write(`${resealed} sealed again, ${alreadyCurrent} were current, ${unreadable} could not be opened.\n`)
  process.stdout.write(
    unreadable === 0
      ? 'Nothing needs the previous keys any more: take them out of Encryption:PreviousKeys.\n'
      : 'Put the key that sealed them into Encryption:PreviousKeys and run this again.\n',
  )
  await db.close()
  process.exitCode = unreadable === 0 ? 0 : 1
}
