// Development makes the secrets that it needs by itself and keeps them beside its data, one file each: a file either does
// not exist or is complete, so two processes that start at once end with the same secrets, and a later version can add one.
import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { find, gather, type SettingsInput } from './gather.ts'
import { everySetting } from './schema.ts'
import { DATA_DIRECTORY, database } from './sections/database.ts'
import type { Entry, Source } from './sources.ts'

type Random = (bytes: number) => Buffer

const FOLDER = 'development-secrets'

/**
 * A source of settings between the defaults and everything that a person wrote; empty outside Development. Makes only what
 * no other source gives. Throws when the data directory cannot be written.
 */
export function developmentSecrets(input: SettingsInput, random: Random = randomBytes): Entry[] {
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

/** Undefined when it is wrong; `loadSettings` says so. */
function dataDirectory(sources: readonly Source[]): string | undefined {
  const entry = find(sources, { name: 'Database:DataDirectory' })
  return entry ? database.members.dataDirectory.shape.type.safeParse(entry.raw).data : DATA_DIRECTORY
}

function readOrMake(path: string, make: () => string, random: Random): string {
  return readPrivate(path) ?? publish(path, make(), random)
}

/** Writes a draft, then gives it the name: a name is given once, and whoever comes second reads what the first one wrote. */
function publish(path: string, text: string, random: Random): string {
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
    // A copied or restored folder may have come with wider rights.
    if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, PRIVATE)
    return text
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
