import { resealWidgetKeys } from '../ground/access/index.ts'
import { resealAll } from '../ground/tenants/index.ts'
import { databaseOf, exitWith, keyringOf, settingsOrExit } from './start-up.ts'

/** Seals every stored secret with the key in force. The former key stands in Encryption:PreviousKeys until this is done. */
export async function rotateEncryption(): Promise<void> {
  const startUp = settingsOrExit()
  const { settings, log } = startUp
  const keyring = keyringOf(settings)
  const db = await databaseOf(startUp).catch(exitWith)
  // The widget keys first: once the sentinel is replaced, the new key is the one that a start expects.
  const keys = await resealWidgetKeys({ db, keyring, log }).catch(exitWith)
  const tenants = await resealAll({ db, keyring, log }).catch(exitWith)
  const resealed = keys.resealed + tenants.resealed
  const alreadyCurrent = keys.alreadyCurrent + tenants.alreadyCurrent
  const unreadable = keys.unreadable + tenants.unreadable
  process.stdout.write(`${resealed} sealed again, ${alreadyCurrent} were current, ${unreadable} could not be opened.\n`)
  process.stdout.write(
    unreadable === 0
      ? 'Nothing needs the previous keys any more: take them out of Encryption:PreviousKeys.\n'
      : 'Put the key that sealed them into Encryption:PreviousKeys and run this again.\n',
  )
  await db.close()
  process.exitCode = unreadable === 0 ? 0 : 1
}
