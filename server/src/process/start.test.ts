// The commands as an operator runs them, from the sources and from the bundle: what they load, and what they say.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { builtService } from '../../testkit/built-service.ts'
import { fillDataDirectory, SHORT_LIVED } from '../../testkit/data-directory.ts'
import { openKeyring } from '../kernel/crypto/index.ts'
import { openDatabase, statement } from '../kernel/db/index.ts'
import { openLog } from '../kernel/log/index.ts'
import { checkSentinel } from '../tenancy/tenants/index.ts'

const log = openLog({ level: 'silent', format: 'json' })
const ROOT = path.join(import.meta.dirname, '../../..')
const STARTS = {
  'the sources': path.join(ROOT, 'server/start.mjs'),
  'the bundle': path.join(await builtService(), 'server/start.mjs'),
}

/** One test from each of them. */
function both(name: string, work: (t: TestContext, start: string) => void | Promise<void>): void {
  for (const [what, start] of Object.entries(STARTS)) test(`${what}: ${name}`, (t) => work(t, start))
}

function directory(t: TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), 'tether-start-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

async function migratedDirectory(t: TestContext): Promise<string> {
  const data = directory(t)
  await fillDataDirectory(data)
  return data
}

function run(start: string, command: string, dataDirectory: string, key = randomBytes(32).toString('base64')) {
  const env = {
    PATH: process.env.PATH,
    Http__Port: '0',
    Database__DataDirectory: dataDirectory,
    Encryption__Key: key,
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [...SHORT_LIVED, start, command], {
    env,
    encoding: 'utf8',
    timeout: 240_000,
  })
  return { status, stdout, stderr }
}

both('a data directory that cannot be used is one sentence, whatever begins there', (t, start) => {
  const secrets = directory(t)
  // The secrets of Development are beside the data: they are there, and the folder of the database is in the way.
  writeFileSync(path.join(secrets, 'database'), 'no folder')
  for (const command of ['serve', 'work', 'migrate', 'rotate-encryption']) {
    const { status, stderr } = run(start, command, secrets)
    assert.equal(status, 1, command)
    assert.match(stderr, /^The data directory .* cannot be used: .*Database:DataDirectory.*\n$/, command)
  }
})

/** A database on the disk as a service has left it that sealed with `key`. */
async function sealedWith(t: TestContext, key: string): Promise<string> {
  const data = await migratedDirectory(t)
  const database = await openDatabase({ at: { directory: data }, statementTimeoutMs: 0, warn: () => undefined })
  await checkSentinel({ db: database, keyring: openKeyring({ key, previous: [] }), log })
  await database.close()
  return data
}

test('keys that are not of this database rotate nothing, and the right one is still known as such', async (t) => {
  const key = randomBytes(32).toString('base64')
  const data = await sealedWith(t, key)
  for (const [what, start] of Object.entries(STARTS)) {
    const { status, stdout, stderr } = run(start, 'rotate-encryption', data)
    assert.deepEqual([status, stdout], [1, ''], what)
    assert.match(stderr, /^Nothing was sealed again, .*Encryption:PreviousKeys.*\n$/, what)
    const right = run(start, 'rotate-encryption', data, key)
    assert.deepEqual([right.status, right.stderr], [0, ''], what)
    assert.match(right.stdout, /^0 sealed again, 0 were current, 0 could not be opened\.\n/, what)
  }
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
  for (const [what, start] of Object.entries(STARTS)) {
    for (const command of ['rotate-encryption', 'serve']) {
      const { status, stderr } = run(start, command, data)
      assert.equal(status, 1, `${command} of ${what}`)
      assert.match(
        stderr,
        /^The database has migrations that this build does not know: 9999_tomorrow\.sql\..*\n$/,
        `${command} of ${what}`,
      )
    }
  }
})

test('an older Node is told where the right one comes from: the packages of a clone bring it, and a bundle brings none', () => {
  const old = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })")}`
  const saidBy = (start: string) => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', old, start, 'serve'], { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^Tether needs Node 24 or newer/)
    return stderr
  }
  assert.match(saidBy(STARTS['the sources']), /`npm ci` brings Node 24 along/)
  const ofBundle = saidBy(STARTS['the bundle'])
  assert.match(ofBundle, /Install Node 24, put it first in PATH/)
  assert.doesNotMatch(ofBundle, /npm ci/)
})

/** A service of Development, and what it says until the words come. */
function serving(t: TestContext, start: string, more: Readonly<Record<string, string>>, data = directory(t)) {
  const env = { PATH: process.env.PATH, Http__Port: '0', Database__DataDirectory: data, ...more }
  const child = spawn(process.execPath, [...SHORT_LIVED, start, 'serve'], { env })
  t.after(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      said += piece
    })
  }
  return async (words: string): Promise<string> => {
    for (let turn = 0; turn < 6_000 && !said.includes(words); turn++) await pause(20)
    assert.ok(said.includes(words), `${words}: not within two minutes of\n${said}`)
    return said
  }
}

both('the first words of a new service are its addresses, and not the lines of its own demo', async (t, start) => {
  // The sources start from an empty directory in cli/src/first-hour.test.ts.
  const data = start === STARTS['the bundle'] ? directory(t) : await migratedDirectory(t)
  const hears = serving(t, start, { Log__Format: 'pretty' }, data)
  const said = await hears('Stop with Ctrl-C.')
  assert.match(said, /^\s+Tether \S+ · Development\n/)
  assert.match(said, /Demo shop/)
  assert.match(said, /Model +none is set up: answers come from matching words/)
  const port = Number(/API +http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1])
  await fetch(`http://127.0.0.1:${port}/openapi`)
  await hears('route=/openapi')
})

test('the bundle: YAML is read by a thread that stands beside the service', async () => {
  const thread = new Worker(path.join(path.dirname(STARTS['the bundle']), 'yaml-thread.mjs'), { workerData: 'a: [1]' })
  const [read] = await once(thread, 'message')
  assert.deepEqual(read, { json: '{"a":[1]}' })
})

both('an error in the log names the line of the source that threw it', async (t, start) => {
  // The demo sets itself up by more requests than this, and says so.
  const settings = { RateLimit__ControlPerMinute: '1', Log__Format: 'json' }
  const said = await serving(t, start, settings, await migratedDirectory(t))('did not open')
  const [, file = '', line] = /at \w+ \(file:[^)]*\/(server\/src\/process\/[\w-]+\.ts):(\d+):\d+\)/.exec(said) ?? []
  assert.match(
    readFileSync(path.join(ROOT, file), 'utf8').split('\n')[Number(line) - 1] ?? '',
    /throw new Error\([`']The demo: /,
  )
})

/** What nobody has asked for when a service begins to listen. */
const LATE =
  /^((?:@ai-sdk|@modelcontextprotocol|@opentelemetry|@redis)\/[^/]+|htmlparser2|iconv-lite|jose|js-yaml|marked|nodemailer|prom-client|redis|undici|@fastify\/[\w-]+-compiler)\//

test('a start waits for no library that nobody has asked for yet', async (t) => {
  const preload = `
    import { registerHooks } from 'node:module'
    import { Server } from 'node:net'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { listen } = Server.prototype
    Server.prototype.listen = function (...given) {
      process.stdout.write('LOADED ' + loaded.join(' ') + ' END')
      return listen.apply(this, given)
    }`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`, Demo__Enabled: 'false' }
  const said = await serving(t, STARTS['the sources'], env, await migratedDirectory(t))(' END')
  const loaded = said.split(' ').flatMap((url) => /^file:.*\/node_modules\/(.+)/.exec(url)?.[1] ?? [])
  assert.deepEqual(
    loaded.filter((file) => LATE.test(file)),
    [],
  )
  assert.ok(loaded.length > 100 && loaded.length < 450, `${loaded.length} files of packages`)
})
