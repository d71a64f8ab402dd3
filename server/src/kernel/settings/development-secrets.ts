// Development makes its own secrets and keeps them beside its data, one file each. A file either does not exist or is
// complete, so two processes that start at once end up with the same secrets, and a later version can add one.
import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { find, gather, type SettingsInput } from './gather.ts'
import { everySetting } from './schema.ts'
import { DATA_DIRECTORY, database } from './sections/database.ts'
import type { SettingEntry, SettingSource } from './sources.ts'

type RandomBytes = (bytes: number) => Buffer

const FOLDER = 'development-secrets'

/**
 * A source of settings between the defaults and everything that a person wrote; empty outside Development. It makes
 * only what no other source gives. Throws if the data directory is not writable.
 */
export function developmentSecrets(input: SettingsInput, random: RandomBytes = randomBytes): SettingEntry[] {
  const { environment, sources } = gather({ ...input, generated: [] })
  if (environment !== 'Development') return []
  const wanted = everySetting.filter(({ setting, name }) => setting.development && !find(sources, { name }))
  const directory = dataDirectory(sources)
  if (wanted.length === 0 || directory === undefined) return []
  const folder = join(directory, FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return wanted.map(({ name, setting }) => {
    const path = join(folder, name.replaceAll(':', '-'))
    return {
      name,
      raw: readOrMake(path, () => setting.development?.(random) ?? '', random),
      from: path,
      kind: 'generated',
    }
  })
}

/** Returns undefined if the setting is wrong; `loadSettings` reports that. */
function dataDirectory(sources: readonly SettingSource[]): string | undefined {
  const entry = find(sources, { name: 'Database:DataDirectory' })
  return entry ? database.members.dataDirectory.shape.type.safeParse(entry.raw).data : DATA_DIRECTORY
}

function readOrMake(path: string, make: () => string, random: RandomBytes): string {
  return readPrivate(path) ?? publish(path, make(), random)
}

/**
 * Writes a draft, then links it to its name. Only the first process succeeds, and a second one reads what the first
 * wrote.
 */
function publish(path: string, text: string, random: RandomBytes): string {
  const draft = `${path}.${random(8).toString('hex')}.draft`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
    return text
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    return readFileSync(path, 'utf8')
  } finally {
    rmSync(draft, { force: true })
  }
}

const PRIVATE = 0o600
const OTHERS = 0o077

function readPrivate(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    // A copied or restored folder may have wider permissions.
    if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, PRIVATE)
    return text
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
