// What an operator is told who changes the encryption key: which key is missing where, and which keys are at hand.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { TABLES } from '../../migrations/tables.ts'
import { fillDataDirectory, SHORT_LIVED } from '../../testkit/data-directory.ts'
import { openKeyring } from '../kernel/crypto/index.ts'
import { openDatabase, unlisted } from '../kernel/db/index.ts'
import { openLog } from '../kernel/log/index.ts'
import { checkSentinel } from '../tenancy/tenants/index.ts'

const MAIN = path.join(import.meta.dirname, '../main.ts')
const newKey = (): string => randomBytes(32).toString('base64')
const idOf = (key: string): string => openKeyring({ key, previous: [] }).keyId

function directory(t: TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), 'tether-rotation-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A data directory as a service leaves it whose encryption key is `key`. */
async function sealedWith(t: TestContext, key: string): Promise<string> {
  const data = directory(t)
  await fillDataDirectory(data)
  const db = await openDatabase({ at: { directory: data }, statementTimeoutMs: 0, warn: () => undefined })
  const log = openLog({ level: 'silent', format: 'json' })
  await checkSentinel({ db, keyring: openKeyring({ key, previous: [] }), log })
  await db.close()
  return data
}

const environment = (data: string, key: string, previous = '') => ({
  PATH: process.env.PATH,
  Http__Port: '0',
  Demo__Enabled: 'false',
  Database__DataDirectory: data,
  Encryption__Key: key,
  Encryption__PreviousKeys: previous,
})

const run = (command: string, env: ReturnType<typeof environment>) =>
  spawnSync(process.execPath, [...SHORT_LIVED, MAIN, command], { env, encoding: 'utf8', timeout: 240_000 })

test('a service that meets a secret of a key that it does not have names that key', async (t) => {
  const [newer, older] = [newKey(), newKey()]
  const child = spawn(process.execPath, [...SHORT_LIVED, MAIN, 'serve'], {
    env: environment(await sealedWith(t, newer), older),
  })
  t.after(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  for (let turn = 0; turn < 6_000 && !output.includes('Stop with Ctrl-C.'); turn++) await pause(20)
  const [line = '{}'] = output.split('\n').filter((one) => one.includes('missingKeyId'))
  assert.match(line, new RegExp(`sealed with the encryption key ${idOf(newer)}, .*Encryption:PreviousKeys`), output)
  assert.equal(JSON.parse(line).missingKeyId, idOf(newer))
})

test('a rotation with foreign keys names the key that it lacks and those that it has', async (t) => {
  const [right, foreign, other] = [newKey(), newKey(), newKey()]
  const data = await sealedWith(t, right)
  const { status, stderr } = run('rotate-encryption', environment(data, foreign, other))
  assert.equal(status, 1)
  assert.ok(stderr.includes(`none of these keys (${idOf(foreign)}, ${idOf(other)})`), stderr)
  assert.ok(stderr.includes(`the key that sealed them (${idOf(right)})`), stderr)
})

test('the list of settings gives the id of each key, and no key', (t) => {
  const [key, previous] = [newKey(), newKey()]
  const { stdout } = run('settings', environment(directory(t), key, previous))
  assert.match(stdout, new RegExp(`Encryption:Key is ${idOf(key)}, the previous ones are ${idOf(previous)}\\.`))
  assert.ok(!stdout.includes(key) && !stdout.includes(previous))
})

const sealedRows = (text: string): string => `
  insert into tenants (tenant_id, email_sealed, signing_secret, previous_signing_secret, customer_token_key)
    values (1, '${text}', '${text}', '${text}', '${text}');
  insert into keys (hash, tenant_id, prefix, kind, sealed) values (sha256('key'), 1, 'pk_1', 'publishable', '${text}');
  insert into mails (tenant_id, mail_id, kind, language, sealed, recipient_hash, state)
    values (1, 'mail_1', 'welcome', 'en', '${text}', 'hash', 'queued');
  insert into outbox (tenant_id, event_id, event, sealed_body) values (1, 'evt_1', 'action.pending', '${text}');
  insert into undelivered_events (tenant_id, event_id, event, occurred_at, attempts, sealed_body, failed_at)
    values (1, 'evt_2', 'action.pending', now(), 1, '${text}', now());
  insert into imports (tenant_id, base_url, user_token, credential, tool_count) values (1, 'https://a.example', 'ignore', '${text}', 1);
  insert into upstreams (tenant_id, name, url, credential, tools) values (1, 'one', 'https://b.example', '${text}', '{}');
  insert into notice_channels (tenant_id, kind, place, sealed) values (1, 'slack', 'C1', '${text}')`

test('a rotation opens each sealed column of each table', async (t) => {
  const [older, newer] = [newKey(), newKey()]
  const data = await sealedWith(t, older)
  // A value from another place does not open, so the rotation counts each that it meets.
  const place = { table: 'elsewhere', column: 'sealed', tenantId: 1, row: 1 }
  const text = openKeyring({ key: older, previous: [] }).seal('secret', place)
  const db = await openDatabase({ at: { directory: data }, statementTimeoutMs: 0, warn: () => undefined })
  await db.script(sealedRows(text))
  const columns = Object.entries(TABLES).flatMap(([table, { sealed = [] }]) =>
    sealed.map((column) => ({ table, column })),
  )
  for (const { table, column } of columns) {
    const filled = unlisted<{ count: number }>(
      `rotation_test.${table}_${column}`,
      `select count(${column})::int as count from ${table}`,
    )
    assert.deepEqual(await db.one(filled), { count: 1 }, `the test fills ${table}.${column}`)
  }
  await db.close()
  const { status, stdout, stderr } = run('rotate-encryption', environment(data, newer, older))
  assert.match(stdout, new RegExp(`, ${columns.length} could not be opened\\.`), `${stdout}${stderr}`)
  assert.equal(status, 1)
})
