import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import path from 'node:path'
import { newUuid } from '../../kernel/ids/index.ts'
import type { LedgerRow } from './rows.ts'

// A file is complete or not there: it is written under another name, synced, and then renamed.
const WHOLE = /^usage-[0-9a-f-]{36}\.jsonl$/

export type Spill = {
  /** Writes rows to a new file, and syncs it to disk. */
  write(rows: readonly LedgerRow[], now: number): Promise<void>
  /** Lists the waiting files, the oldest first. */
  waiting(): Promise<string[]>
  read(file: string): Promise<LedgerRow[]>
  done(file: string): Promise<void>
  /** Keeps a file that the database refuses, for a person to look at. */
  putAside(file: string): Promise<void>
}

/** Handles a file that another instance with the same folder has already taken. */
function whereGone(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}

/**
 * Files of ledger rows that the database could not accept yet. Several instances may share the folder; only one reads
 * each file.
 */
export function openSpill(folder: string): Spill {
  const at = (file: string) => path.join(folder, file)
  return {
    async write(rows, now) {
      await mkdir(folder, { recursive: true })
      // The ids begin with the time, so names sort in the order of writing.
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
      // The cast is true because only this service writes these files, above.
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
