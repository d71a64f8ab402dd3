// `npm run migrate` on the data directory of a version before the squash.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { SHORT_LIVED } from '../../testkit/data-directory.ts'
import { OLD_ROWS, oldChain } from '../../testkit/old-chain.ts'
import { type Migrations, migrate, openDatabase, unlisted } from '../kernel/db/index.ts'

const MAIN = path.join(import.meta.dirname, '../main.ts')
const MIGRATIONS = path.join(import.meta.dirname, '../../migrations')

const open = (directory: string) => openDatabase({ at: { directory }, statementTimeoutMs: 0, warn: () => undefined })

async function oldDirectory(t: TestContext, migrations: Migrations): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-migrate-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [made, copy] = [path.join(folder, 'made'), path.join(folder, 'copy')]
  const database = await open(made)
  await migrate(database, migrations)
  await database.script(OLD_ROWS)
  await database.close()
  cpSync(made, copy, { recursive: true })
  return copy
}

function runMigrate(directory: string) {
  const env = {
    PATH: process.env.PATH,
    Database__DataDirectory: directory,
    Encryption__Key: randomBytes(32).toString('base64'),
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [...SHORT_LIVED, MAIN, 'migrate'], {
    env,
    encoding: 'utf8',
    timeout: 240_000,
  })
  return { status, stdout, stderr }
}

const countRows = unlisted<{ actions: number; events: number }>(
  'migrate_test.count_rows',
  'select (select count(*)::int from actions) as actions, (select count(*)::int from audit_events) as events',
)

test('adopts a copied data directory that has all of the old migrations', async (t) => {
  const newer = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql') && file >= '1017')
  const applied = newer.map((file) => `Applied the migration ${file}.\n`).join('')
  const directory = await oldDirectory(t, oldChain())
  assert.deepEqual(runMigrate(directory), {
    status: 0,
    stdout: `Replaced the records of the old migrations. They are kept in schema_migrations_before.\n${applied}`,
    stderr: '',
  })
  assert.equal(runMigrate(directory).stdout, 'The schema is current.\n')
  const database = await open(directory)
  assert.deepEqual(await database.one(countRows), { actions: 3, events: 3 })
  await database.close()
})

test('names the version to deploy first if an old migration is missing', async (t) => {
  const files = oldChain().files.slice(0, -1)
  const { status, stderr } = runMigrate(await oldDirectory(t, { files }))
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^The database lacks the migration 0111_frames_on_shards\.sql, which this build replaced\. Deploy and migrate with the version of commit [0-9a-f]{8} first\.\n$/,
  )
})
