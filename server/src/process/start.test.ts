// The commands as an operator runs them: what they say when they cannot go on, in one sentence and without a stack.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { emptySnapshot } from '../../testkit/database-snapshot.ts'
import { openKeyring } from '../foundation/crypto/index.ts'
import { migrate, openDatabase, readMigrations, statement } from '../foundation/db/index.ts'
import { openLog } from '../foundation/log/index.ts'
import { checkSentinel } from '../ground/tenants/index.ts'
import { MIGRATIONS } from './start-up.ts'

const log = openLog({ level: 'silent', format: 'json' })
const MAIN = path.join(import.meta.dirname, '../main.ts')

function directory(t: TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), 'tether-start-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function run(command: string, dataDirectory: string, key = randomBytes(32).toString('base64')) {
  const env = {
    PATH: process.env.PATH,
    Http__Port: '0',
    Database__DataDirectory: dataDirectory,
    Encryption__Key: key,
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, command], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stdout, stderr }
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

/** A database on the disk as a service has left it that sealed with `key`. */
async function sealedWith(t: TestContext, key: string): Promise<string> {
  const data = directory(t)
  const database = await openDatabase({
    at: { directory: data, snapshot: await emptySnapshot() },
    statementTimeoutMs: 0,
    warn: () => undefined,
  })
  await migrate(database, await readMigrations(MIGRATIONS))
  await checkSentinel({ db: database, keyring: openKeyring({ key, previous: [] }), log })
  await database.close()
  return data
}

test('keys that are not of this database rotate nothing, and the right one is still known as such', async (t) => {
  const key = randomBytes(32).toString('base64')
  const data = await sealedWith(t, key)
  const { status, stdout, stderr } = run('rotate-encryption', data)
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^Nothing was sealed again, .*Encryption:PreviousKeys.*\n$/)
  const right = run('rotate-encryption', data, key)
  assert.deepEqual([right.status, right.stderr], [0, ''])
  assert.match(right.stdout, /^0 sealed again, 0 were current, 0 could not be opened\.\n/)
})

const fromTomorrow = statement<object>(
  'start_test.newer',
  `insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', '')`,
)

test('a build that is older than the schema seals nothing anew: it does not know all that is sealed', async (t) => {
  const key = randomBytes(32).toString('base64')
  const data = await sealedWith(t, key)
  const database = await openDatabase({ at: { directory: data }, statementTimeoutMs: 0, warn: () => undefined })
  await database.run(fromTomorrow)
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

test('the first words of a new service are its addresses, and not the lines of its own demo', async (t) => {
  const env = { PATH: process.env.PATH, Http__Port: '0', Database__DataDirectory: directory(t), Log__Format: 'pretty' }
  const child = spawn(process.execPath, [MAIN, 'serve'], { env })
  t.after(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (piece) => {
    said += piece
  })
  const hears = async (words: string) => {
    for (let turn = 0; turn < 1_500 && !said.includes(words); turn++) await pause(20)
    assert.ok(said.includes(words), `${words}: not within 30 s of\n${said}`)
  }
  await hears('Stop with Ctrl-C.')
  assert.match(said, /^\s+Tether \S+ · Development\n/)
  assert.match(said, /Demo shop/)
  const port = Number(/API +http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1])
  await fetch(`http://127.0.0.1:${port}/openapi`)
  await hears('route=/openapi')
})
