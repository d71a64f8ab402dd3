// The commands as an operator runs them: what they say when they cannot go on, in one sentence and without a stack.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptySnapshot } from '../../testkit/database-snapshot.ts'
import { migrate, openDatabase, readMigrations, statement } from '../foundation/db/index.ts'
import { MIGRATIONS } from './start-up.ts'

const MAIN = path.join(import.meta.dirname, '../main.ts')

function directory(t: TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), 'tether-start-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function run(command: string, dataDirectory: string) {
  const env = { PATH: process.env.PATH, Http__Port: '0', Database__DataDirectory: dataDirectory }
  const { status, stderr } = spawnSync(process.execPath, [MAIN, command], { env, encoding: 'utf8', timeout: 60_000 })
  return { status, stderr }
}

test('a data directory that cannot be used is one sentence, whatever begins there', (t) => {
  const secrets = directory(t)
  // The secrets of Development are beside the data: they are there, and the folder of the database is in the way.
  writeFileSync(path.join(secrets, 'database'), 'no folder')
  for (const command of ['serve', 'work', 'migrate', 'rotate-encryption']) {
    const { status, stderr } = run(command, secrets)
    assert.equal(status, 1, command)
    assert.match(stderr, /^The data directory .* cannot be used: .*Database:DataDirectory.*\n$/, command)
  }
})

const fromTomorrow = statement<object, []>(
  'start_test.newer',
  `insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', '')`,
)

test('a build that is older than the schema seals nothing anew: it does not know all that is sealed', async (t) => {
  const data = directory(t)
  const database = await openDatabase({
    at: { directory: data, snapshot: await emptySnapshot() },
    statementTimeoutMs: 0,
    warn: () => undefined,
  })
  await migrate(database, await readMigrations(MIGRATIONS))
  await database.run(fromTomorrow, [])
  await database.close()
  for (const command of ['rotate-encryption', 'serve']) {
    const { status, stderr } = run(command, data)
    assert.equal(status, 1, command)
    assert.match(
      stderr,
      /^The database has migrations that this build does not know: 9999_tomorrow\.sql\..*\n$/,
      command,
    )
  }
})
