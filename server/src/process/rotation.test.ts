// What an operator is told who changes the encryption key: which key is missing where, and which keys are at hand.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fillDataDirectory, SHORT_LIVED } from '../../testkit/data-directory.ts'
import { openKeyring } from '../foundation/crypto/index.ts'
import { openDatabase } from '../foundation/db/index.ts'
import { openLog } from '../foundation/log/index.ts'
import { checkSentinel } from '../ground/tenants/index.ts'

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
