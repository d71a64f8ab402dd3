// Every command begins here: it reads the settings (or lists everything wrong with them) and opens the log and database.
import path from 'node:path'
import { type Keyring, openKeyring } from '../kernel/crypto/index.ts'
import { type Database, openDatabase, type ServerLocation } from '../kernel/db/index.ts'
import { type Log, type LogStream, openLog, seldom } from '../kernel/log/index.ts'
import {
  describeFaults,
  readSettings,
  type SettingReading,
  type Settings,
  serverUrls,
} from '../kernel/settings/index.ts'

export type StartUp = { readonly settings: Settings; readonly sources: readonly SettingReading[]; readonly log: Log }

/** A command whose standard output is its result logs to the other one. */
export function settingsOrExit(logTo?: LogStream): StartUp {
  const loaded = readSettings()
  if (!loaded.ok) {
    process.stderr.write(`${describeFaults(loaded)}\n`)
    process.exit(1)
  }
  const { settings, sources, warnings, secrets } = loaded
  const { level, format, colors } = settings.log
  const log = openLog({ level, format, colors, secrets, ...(logTo === undefined ? {} : { stream: logTo }) })
  for (const { message } of warnings) log.warn({}, message)
  return { settings, sources, log }
}

export function databaseOf({ settings, log }: Pick<StartUp, 'settings' | 'log'>): Promise<Database> {
  const { url, dataDirectory, statementTimeoutSeconds } = settings.database
  return openDatabase({
    at: url === undefined ? { directory: dataDirectory } : serversAt(url, settings),
    statementTimeoutMs: statementTimeoutSeconds * 1000,
    warn: (message, details) => log.warn(details, message),
    tell: (message, details) => log.info(details, message),
  })
}

function serversAt(address: string, { database }: Settings): ServerLocation {
  const { listenUrl, poolSize, preparedStatements: prepared } = database
  const [url, ...otherUrls] = serverUrls(address)
  return {
    url,
    otherUrls,
    ...(listenUrl === undefined ? {} : { listenUrls: serverUrls(listenUrl) }),
    poolSize,
    prepared,
  }
}

const MISSING_KEY_EVERY_MS = 60_000

export const keyringOf = ({ encryption }: Settings, onMissingKey?: (keyId: string) => void): Keyring =>
  openKeyring({
    key: encryption.key,
    previous: encryption.previousKeys,
    ...(onMissingKey === undefined ? {} : { onMissingKey }),
  })

/**
 * For a keyring: tells the operator which key is missing, whichever room missed it. During a rotation that may be every
 * request, so each key is reported once a minute.
 */
export function reportMissingKeys(log: Log): (keyId: string) => void {
  const reports = new Map<string, ReturnType<typeof seldom>>()
  return (keyId) => {
    const report = reports.get(keyId) ?? seldom(log, MISSING_KEY_EVERY_MS)
    reports.set(keyId, report)
    report(
      { missingKeyId: keyId },
      `A stored secret was sealed with the encryption key ${keyId}, which this process does not have. ` +
        'Add that key to Encryption:PreviousKeys and restart. `npm run settings` prints the id of each key.',
    )
  }
}

export const MIGRATIONS = path.join(import.meta.dirname, '../../migrations')

/** Ends a failed start with one sentence that says why. A stack trace would only hide it. */
export function exitWith(reason: unknown): never {
  process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`)
  process.exit(1)
}
