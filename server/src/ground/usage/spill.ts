import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import path from 'node:path'
import { newUuid } from '../../foundation/ids/index.ts'
import type { LedgerRow } from './rows.ts'

// A file is whole or it is not there: written under another name, synced, and then renamed.
const WHOLE = /^usage-[0-9a-f-]{36}\.jsonl$/

export type Spill = {
  /** Writes rows to a file of their own, synced to disk. */
  write(rows: readonly LedgerRow[], now: number): Promise<void>
  /** The files that wait, the oldest first. */
  waiting(): Promise<string[]>
  read(file: string): Promise<LedgerRow[]>
  done(file: string): Promise<void>
  /** Kept for a person to look at: the database refuses what is in it. */
  putAside(file: string): Promise<void>
}

/** Another instance that shares the folder was quicker. */
function whereGone(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}

/** Files of ledger rows that the database could not take yet. A folder of one instance, or of several: each file is read by one. */
export function openSpill(folder: string): Spill {
  const at = (file: string) => path.join(folder, file)
  return {
    async write(rows, now) {
      await mkdir(folder, { recursive: true })
      // The ids begin with the time, so the order of names is the order of writing.
      const name = `usage-${newUuid(now)}.jsonl`
      const file = await open(at(`${name}.part`), 'w')
      try {
        await file.writeFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(at(`${name}.part`), at(name))
      const directory = await open(folder, 'r')
      await directory.sync().finally(() => directory.close())
    },
    async waiting() {
      const names = await readdir(folder).catch(() => [])
      return names.filter((name) => WHOLE.test(name)).sort()
    },
    async read(file) {
      const text = await readFile(at(file), 'utf8').catch(whereGone)
      const lines = text.split('\n').filter((line) => line !== '')
      // Written above, by this service and by nobody else.
      return lines.map((line) => JSON.parse(line) as LedgerRow)
    },
    async done(file) {
      await unlink(at(file)).catch(() => {})
    },
    async putAside(file) {
      await rename(at(file), at(`${file}.refused`)).catch(() => {})
    },
  }
}
