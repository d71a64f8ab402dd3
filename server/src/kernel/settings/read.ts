// The only place that reads `process.env` and the files of settings.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { developmentSecrets } from './development-secrets.ts'
import type { SettingsInput } from './gather.ts'
import { type Loaded, loadSettings } from './load.ts'
import { type SettingsPart, settingsPage } from './reference.ts'

const PROFILES = join(import.meta.dirname, '../../../../config')

/** Reads all settings of this process. In Development it first makes the missing secrets. */
export function readSettings(): Loaded {
  const input: SettingsInput = {
    env: process.env,
    readFile: readTextFile,
    // The path as seen by the person who started the service here.
    profiles: relative(process.cwd(), PROFILES) || '.',
  }
  try {
    return loadSettings({ ...input, generated: developmentSecrets(input) })
  } catch (error) {
    return withFault(loadSettings(input), error instanceof Error ? error.message : 'unknown error')
  }
}

function withFault(loaded: Loaded, reason: string): Loaded {
  const fault = {
    setting: 'Database:DataDirectory',
    message: `The secrets of Development cannot be stored in the data directory: ${reason}. Make it writable, or set Database:DataDirectory to a folder on a local disk.`,
  }
  const { warnings, sources } = loaded
  return { ok: false, faults: [fault, ...(loaded.ok ? [] : loaded.faults)], warnings, sources }
}

/** Makes the pages for `docs/reference/settings.md` and `settings-assistant.md`. */
export function settingsReference(part: SettingsPart): string {
  const profile = (name: string) => readFileSync(join(PROFILES, `${name}.json`), 'utf8')
  return settingsPage({ Development: profile('development'), Production: profile('production') }, part)
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
