// The only place that reads `process.env`, and the files of the settings.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { developmentSecrets } from './development-secrets.ts'
import type { SettingsInput } from './gather.ts'
import { type Loaded, loadSettings } from './load.ts'
import { referencePage } from './reference.ts'

const PROFILES = join(import.meta.dirname, '../../../config')

/** Everything that this process was given. In Development it first makes the secrets that are missing. */
export function readSettings(): Loaded {
  const input: SettingsInput = {
    env: process.env,
    readFile: readTextFile,
    // As a person sees it who started the service here.
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
    message: `The secrets of Development cannot be kept in the data directory: ${reason}. Make it writable, or set Database:DataDirectory to a folder on a local disk.`,
  }
  const { warnings, sources } = loaded
  return { ok: false, faults: [fault, ...(loaded.ok ? [] : loaded.faults)], warnings, sources }
}

/** The page for `docs/reference/settings.md`. */
export function settingsReference(): string {
  const profile = (name: string) => readFileSync(join(PROFILES, `${name}.json`), 'utf8')
  return referencePage({ Development: profile('development'), Production: profile('production') })
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
