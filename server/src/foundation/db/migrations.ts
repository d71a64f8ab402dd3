import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export type Migration = { readonly name: string; readonly text: string; readonly checksum: string }

const nameShape = /^\d{4}_[a-z0-9_]+\.sql$/
// Each migration runs in a transaction together with the note that it ran; one of its own would part the two.
const ownTransaction = /^\s*(begin|start\s+transaction|commit|rollback)\s*;/im

/** The migrations of a folder in their order. They are only ever added to: one that was applied is never edited. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  refuseNames(names)
  return Promise.all(names.map((name) => readMigration(directory, name)))
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  // A checkout with other line ends is the same migration.
  const text = (await readFile(path.join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
  const found = ownTransaction.exec(text)
  if (found !== null) {
    throw new Error(`Migration ${name} has "${found[0].trim()}": it runs in a transaction already, take that out.`)
  }
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
}

function refuseNames(names: readonly string[]): void {
  let before: string | undefined
  for (const name of names) {
    if (!nameShape.test(name)) throw new Error(`Migration ${name}: name it like 0007_what_it_does.sql.`)
    if (before?.slice(0, 4) === name.slice(0, 4)) {
      throw new Error(`Migrations ${before} and ${name} have the same number: give one of them the next free one.`)
    }
    before = name
  }
}
