import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export type Migration = { readonly name: string; readonly text: string; readonly checksum: string }

const nameShape = /^\d{4}_[a-z0-9_]+\.sql$/
// Each migration runs in one transaction with the record that it ran. A transaction of its own would separate the two.
const ownTransaction = /^\s*(begin|start\s+transaction|commit|rollback)\s*;/im

/** Reads the migrations of a folder in order. An applied migration must never be edited; add a new one instead. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  refuseNames(names)
  return Promise.all(names.map((name) => readMigration(directory, name)))
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  // Different line endings in a checkout do not make a different migration.
  const text = (await readFile(path.join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
  const found = ownTransaction.exec(text)
  if (found !== null) {
    throw new Error(
      `Migration ${name} contains "${found[0].trim()}". Remove it, because every migration already runs in a transaction.`,
    )
  }
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
}

function refuseNames(names: readonly string[]): void {
  let before: string | undefined
  for (const name of names) {
    if (!nameShape.test(name))
      throw new Error(`Migration ${name} has the wrong form of name. Name it like 0007_what_it_does.sql.`)
    if (before?.slice(0, 4) === name.slice(0, 4)) {
      throw new Error(`Migrations ${before} and ${name} have the same number. Give one of them the next free number.`)
    }
    before = name
  }
}
