import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Migrations, readMigrations } from '../src/kernel/db/index.ts'
import { borrowEmbedded } from './database-embedded.ts'
import { surveyForm } from './database-reset.ts'
import { createOnServer } from './database-server.ts'
import { partitionsAsked } from './divided.ts'
import type { FreshDatabase } from './fresh-database.ts'
import { neighbourKey, placeNeighbour } from './neighbour.ts'

export type { FreshDatabase } from './fresh-database.ts'

export type FreshOptions = {
  /** A folder of migrations; the server's own when absent. */
  readonly migrations?: string
  /** For a test of what only the embedded engine does. */
  readonly engine?: 'embedded'
  /** Whether it has the rows of the neighbour (neighbour.sql). */
  readonly neighbour?: boolean
}

const ownMigrations = fileURLToPath(new URL('../migrations', import.meta.url))

/**
 * A migrated database of one's own, empty or with the neighbour: embedded and in memory, or, when TEST_DATABASE_URL names a PostgreSQL server
 * whose user may create databases, one there. Several may be open at the same time; none sees another. With TEST_PARTITIONS the
 * server's own tables there are divided by tenant.
 */
export async function freshDatabase(options: FreshOptions = {}): Promise<FreshDatabase> {
  const { key: migrated, migrations } = await (options.migrations === undefined
    ? migratedKey()
    : readKeyed(options.migrations))
  const place = options.neighbour === true ? placeNeighbour : undefined
  const key = `${migrated}${place === undefined ? '' : neighbourKey()}`
  const server = options.engine === 'embedded' ? undefined : process.env.TEST_DATABASE_URL
  return server === undefined || server === ''
    ? borrowEmbedded({ migrations, key, place })
    : createOnServer(server, {
        migrations,
        key,
        place,
        partitions: options.migrations === undefined ? partitionsAsked() : undefined,
        isOwn: options.migrations === undefined,
      })
}

type Keyed = { readonly key: string; readonly migrations: Migrations }

/** Reads the server's own migrations and the name of a database that has them. A process reads the files once. */
export function migratedKey(): Promise<Keyed> {
  own ??= readKeyed(ownMigrations)
  return own
}

let own: Promise<Keyed> | undefined

async function readKeyed(folder: string): Promise<Keyed> {
  const migrations = await readMigrations(folder)
  return { key: keyOf(migrations), migrations }
}

/** Short enough for the name of a file or a database. */
function keyOf(migrations: Migrations): string {
  const all = migrations.files.map(({ name, checksum }) => `${name} ${checksum}\n`).join('')
  return createHash('sha256').update(all).update(surveyForm).digest('hex').slice(0, 16)
}
