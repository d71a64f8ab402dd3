// Data directories for services that a test starts as processes. A first start creates the cluster and runs every migration, which takes
// a service four times the processor time of the second one, so only the tests of a first start pay for it.
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { openDatabase } from '../src/kernel/db/index.ts'
import { migratedKey } from './database.ts'
import { keepInCache, migratedSnapshot } from './database-snapshot.ts'

/**
 * Node flags for a service that lives for a few seconds: optimizing the WebAssembly of its embedded database would take longer than the
 * service runs.
 */
export const SHORT_LIVED = ['--liftoff-only']

/** Puts a migrated database without rows into a data directory, as an earlier start of this build left it. */
export async function fillDataDirectory(directory: string): Promise<void> {
  const { key, migrations } = await migratedKey()
  const filled = await keepInCache(`directory-${key}`, async (draft) => {
    const snapshot = await migratedSnapshot({ key, migrations })
    const database = await openDatabase({
      at: { directory: draft, snapshot },
      statementTimeoutMs: 0,
      warn: () => undefined,
    })
    await database.close()
  })
  for (const name of await fs.readdir(filled)) {
    const target = path.join(directory, name)
    if (existsSync(target)) throw new Error(`${target} exists already.`)
    await fs.cp(path.join(filled, name), target, { recursive: true, mode: fs.constants.COPYFILE_FICLONE })
  }
}
