import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Migration, readMigrations } from '../src/foundation/db/index.ts'
import { borrowEmbedded } from './database-embedded.ts'
import { surveyForm } from './database-reset.ts'
import { createOnServer } from './database-server.ts'
import { partitionsAsked } from './divided.ts'
import type { FreshDatabase } from './fresh-database.ts'

export type { FreshDatabase } from './fresh-database.ts'

export type FreshOptions = {
  /** A folder of migrations; the server's own when absent. */
  readonly migrations?: string
  /** For a test of what only the embedded engine does. */
  readonly engine?: 'embedded'
}

const ownMigrations = fileURLToPath(new URL('../migrations', import.meta.url))

/**
 * An empty, migrated database of one's own: embedded and in memory, or, when TEST_DATABASE_URL names a PostgreSQL server
 * whose user may create databases, one there. Several may be open at the same time; none sees another. With TEST_PARTITIONS the
 * server's own tables there are divided by tenant.
 */
export async function freshDatabase(options: FreshOptions = {}): Promise<FreshDatabase> {
  const migrations = await readMigrations(options.migrations ?? ownMigrations)
  const key = keyOf(migrations)
  const server = options.engine === 'embedded' ? undefined : process.env.TEST_DATABASE_URL
  return server === undefined || server === ''
    ? borrowEmbedded(migrations, key)
    : createOnServer(server, {
        migrations,
        key,
        partitions: options.migrations === undefined ? partitionsAsked() : undefined,
        isOwn: options.migrations === undefined,
      })
}

/** The server's own migrations, and what names a database that has them. */
export async function migratedKey(): Promise<{ key: string; migrations: readonly Migration[] }> {
  const migrations = await readMigrations(ownMigrations)
  return { key: keyOf(migrations), migrations }
}

/** Short enough for the name of a file or a database. */
function keyOf(migrations: readonly Migration[]): string {
  const all = migrations.map(({ name, checksum }) => `${name} ${checksum}\n`).join('')
  return createHash('sha256').update(all).update(surveyForm).digest('hex').slice(0, 16)
}
