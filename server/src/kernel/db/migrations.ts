import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export type AppliedMigration = { readonly name: string; readonly checksum: string }
export type Migration = AppliedMigration & { readonly text: string }

/** What is known of the migrations that the first files of a folder replaced. */
export type Squash = {
  /** The last commit that had them. */
  readonly commit: string
  /** The last of the files that replaced them. */
  readonly last: string
  /** The checksum of each, by name, in order. */
  readonly checksums: Readonly<Record<string, string>>
  /** The schema that the old and the new files make. */
  readonly schema: Readonly<Record<string, readonly string[]>>
}

export type Migrations = { readonly files: readonly Migration[]; readonly squash?: Squash }

const SQUASH = 'before-squash.json'
const nameShape = /^\d{4}_[a-z0-9_]+\.sql$/
// Each migration runs in one transaction with the record that it ran. A transaction of its own would separate the two.
const ownTransaction = /^\s*(begin|start\s+transaction|commit|rollback)\s*;/im

/** Reads the migrations of a folder in order. An applied migration must never be edited; add a new one instead. */
export async function readMigrations(directory: string): Promise<Migrations> {
  const all = await readdir(directory)
  const names = all.filter((name) => name.endsWith('.sql')).sort()
  refuseNames(names)
  const files = await Promise.all(names.map((name) => readMigration(directory, name)))
  if (!all.includes(SQUASH)) return { files }
  const squash: Squash = JSON.parse(await readFile(path.join(directory, SQUASH), 'utf8'))
  return { files, squash }
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
