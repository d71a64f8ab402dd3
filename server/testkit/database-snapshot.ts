import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { writeSnapshot } from '../src/kernel/db/embedded/snapshot.ts'
import { type Database, type Migrations, migrate } from '../src/kernel/db/index.ts'

const forgottenAfterMs = 24 * 60 * 60 * 1000

/** A cluster without anything. Making one takes seconds, so it is made once and kept for other test processes. */
export async function emptySnapshot(): Promise<string> {
  return kept(`${await engineVersion()}-empty`, undefined, async () => undefined)
}

/** What a snapshot holds, and the key that names it. */
export type Contents = {
  readonly key: string
  readonly migrations: Migrations
  /** Inserts rows after the migrations. */
  readonly place?: ((database: Database) => Promise<void>) | undefined
}

export async function migratedSnapshot({ key, migrations, place }: Contents): Promise<string> {
  const fill = async (database: Database): Promise<void> => {
    await migrate(database, migrations)
    await place?.(database)
  }
  return kept(`${await engineVersion()}-${key}`, emptySnapshot, fill)
}

async function kept(
  name: string,
  from: (() => Promise<string>) | undefined,
  fill: (database: Database) => Promise<void>,
): Promise<string> {
  return keepInCache(`${name}.tar`, async (draft) => writeSnapshot(draft, await from?.(), fill))
}

/** The path of a file or folder that `make` creates once for all test processes. */
export async function keepInCache(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const directory = path.join(os.tmpdir(), `tether-testkit-${process.getuid?.() ?? 'user'}`)
  const at = path.join(directory, name)
  if (existsSync(at)) return at
  await fs.mkdir(directory, { recursive: true, mode: 0o700 })
  await removeOld(directory)
  // Renamed when it is complete, because other test processes may be making it at the same time.
  const draft = `${at}.${randomUUID()}`
  await make(draft)
  await fs.rename(draft, at).catch(async (error: unknown) => {
    // A folder that another process completed first cannot be replaced.
    if (!existsSync(at)) throw error
    await fs.rm(draft, { recursive: true, force: true })
  })
  return at
}

/** What runs with older migrations left behind. */
async function removeOld(directory: string): Promise<void> {
  for (const name of await fs.readdir(directory)) {
    const file = path.join(directory, name)
    const found = await fs.stat(file).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > forgottenAfterMs)
      await fs.rm(file, { recursive: true, force: true })
  }
}

async function engineVersion(): Promise<string> {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  const { version }: { version: string } = JSON.parse(await fs.readFile(manifest, 'utf8'))
  return version
}
