// The two whose power is cut: the embedded database as the server opens it, and PGlite as it comes.
import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { type Database, openDatabase, unlisted } from '../../server/src/kernel/db/index.ts'
import { emptySnapshot } from '../../server/testkit/database-snapshot.ts'

export type Found = { readonly rows: ReadonlySet<number>; readonly torn: number }

export type Subject = {
  /** The program that writes rows and says which are acknowledged. */
  readonly writer: string
  /** Makes the database, so that the writer only writes. */
  make(directory: string): Promise<void>
  /** What is there after the cut; throws when the database does not open any more. */
  find(directory: string): Promise<Found>
}

type Row = { id: number; torn: boolean }

// A row without its note, or the other way round, is half of a statement.
const text = `select coalesce(r.id, n.id)::int as id, r.id is null or n.id is null as torn
  from rows_of_writer r full join notes_of_writer n on n.id = r.id`
const rowsFound = unlisted<Row>('bench.rows_found', text)

export const ours: Subject = {
  writer: 'server/src/kernel/db/fixtures/writer.ts',
  make: async (directory) => (await openOurs(directory)).close(),
  async find(directory) {
    const database = await openOurs(directory)
    return foundIn(await database.rows(rowsFound).finally(() => database.close()))
  },
}

export const asItComes: Subject = {
  writer: 'bench/parts/unsynced-writer.ts',
  async make(directory) {
    const engine = await PGlite.create(directory, { loadDataDir: await openAsBlob(await emptySnapshot()) })
    await engine.close()
  },
  async find(directory) {
    const engine = await PGlite.create(directory)
    const { rows } = await engine.query<Row>(text)
    await engine.close()
    return foundIn(rows)
  },
}

async function openOurs(directory: string): Promise<Database> {
  const at = { directory, snapshot: await emptySnapshot() }
  return openDatabase({ at, statementTimeoutMs: 0, warn: () => undefined })
}

function foundIn(rows: readonly Row[]): Found {
  return { rows: new Set(rows.map(({ id }) => id)), torn: rows.filter(({ torn }) => torn).length }
}
