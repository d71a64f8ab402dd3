// The recipes for other languages, each started as its first lines say, on machines that have the language.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../scripts/free-port.ts'
import { callOf, event, read, secret, signed, write } from './fixtures/sender.ts'

const RECIPES = path.join(import.meta.dirname, '../recipes')
type Recipe = {
  /** Whether the machine can run it, and what it lacks. */
  readonly lacks: () => string | undefined
  readonly start: (folder: string, port: string) => readonly [command: string, ...words: string[]]
}

const has = (command: string, ...words: string[]): boolean =>
  spawnSync(command, words, { encoding: 'utf8' }).status === 0

const LANGUAGES: Readonly<Record<string, Recipe>> = {
  Python: {
    lacks: () => (has('python3', '-c', 'import sqlite3, http.server') ? undefined : 'python3 with sqlite3'),
    start: () => ['python3', path.join(RECIPES, 'receiver.py')],
  },
  PHP: {
    lacks: () =>
      has('php', '-r', 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);') ? undefined : 'php with pdo_sqlite',
    start: (_folder, port) => ['php', '-S', `127.0.0.1:${port}`, path.join(RECIPES, 'receiver.php')],
  },
  Go: {
    lacks: () => (has('go', 'version') ? undefined : 'go'),
    start(folder) {
      const program = path.join(folder, 'receiver')
      const env = { ...process.env, GOCACHE: path.join(folder, 'cache'), GOFLAGS: '-mod=mod', GO111MODULE: 'off' }
      execFileSync('go', ['vet', path.join(RECIPES, 'receiver.go')], { cwd: folder, env })
      execFileSync('go', ['build', '-o', program, path.join(RECIPES, 'receiver.go')], { cwd: folder, env })
      return [program]
    },
  },
}

for (const [language, recipe] of Object.entries(LANGUAGES)) {
  test(`${language}: signed calls, each write once, also across a kill`, async (t) => {
    const lacks = recipe.lacks()
    if (lacks !== undefined) return t.skip(`there is no ${lacks} on this machine`)
    const folder = mkdtempSync(path.join(tmpdir(), 'tether-recipe-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const port = String(await freePort())
    const command = recipe.start(folder, port)
    const first = await started(t, folder, port, command)
    const refund = write('refund_order', { number: 'A-1001' }, 'once')
    const answers = await Promise.all(Array.from({ length: 8 }, () => said(port, refund)))
    const done = answers.filter(([status]) => status === 200)
    assert.ok(done.length >= 1 && answers.every(([status]) => status === 200 || status === 409), String(answers))
    const [performed] = done
    assert.deepEqual(JSON.parse(performed?.[1] ?? ''), { number: 'A-1001', state: 'refunded' })
    await holds(port)
    first.kill('SIGKILL')
    await once(first, 'close')
    await started(t, folder, port, command)
    assert.deepEqual(await said(port, refund), performed, 'what was performed is known after a restart')
    const again = await said(port, write('refund_order', { number: 'A-9' }, 'refused'))
    assert.deepEqual([again[0], await said(port, write('refund_order', { number: 'A-9' }, 'refused'))], [409, again])
  })
}

async function holds(port: string): Promise<void> {
  assert.deepEqual(
    await said(port, read('get_order', { number: 'none' })).then(([status, text]) => [status, JSON.parse(text).status]),
    [404, 'not_found'],
  )
  assert.equal((await said(port, read('get_order', { number: 'A-1001' })))[0], 200)
  assert.equal((await said(port, read('get_moon', {})))[0], 421)
  assert.deepEqual(await said(port, event('action.executed')), [204, ''])
  assert.equal((await said(port, signed(JSON.stringify(callOf('test.ping', {}, { type: 'endpoint_test' })))))[0], 204)
  assert.equal((await said(port, read('refund_order', { number: 'A-1001' })))[0], 421, 'a write is no read')
  for (const wrong of [
    { type: undefined },
    { request_id: '' },
    { mode: 'execute' },
    { is_write: true },
    { is_write: undefined },
    { tenant: undefined },
    { user: undefined },
    { customer: undefined },
    { occurred_at: undefined },
    { arguments: undefined },
  ])
    assert.equal(
      (await said(port, signed(JSON.stringify(callOf('get_order', { number: 'A-1001' }, wrong)))))[0],
      400,
      JSON.stringify(wrong),
    )
  const one = write('refund_order', { number: 'A-1001' }, 'unsigned')
  const { 'x-service-timestamp': now = '', 'x-service-signature': signature = '' } = one.headers
  for (const [what, sent] of Object.entries({
    'no signature': { body: one.body, headers: {} },
    'another secret': signed(one.body, 'whsec_c29tZWJvZHkgZWxzZQ=='),
    'a byte more': { ...one, body: `${one.body} ` },
    'another time': { ...one, headers: { ...one.headers, 'x-service-timestamp': String(Number(now) + 1) } },
    'in capitals': { ...one, headers: { ...one.headers, 'x-service-signature': signature.toUpperCase() } },
    'no time': { ...one, headers: { 'x-service-signature': signature } },
  }))
    assert.equal((await said(port, sent))[0], 401, what)
}

/** Over a connection of its own: one that is kept would outlive the process that is killed. */
function said(port: string, { body, headers }: { body: unknown; headers: unknown }): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const own = { ...(headers as Record<string, string>), 'content-length': String(Buffer.byteLength(String(body))) }
    const asked = request({ host: '127.0.0.1', port, path: '/tools', method: 'POST', headers: own, agent: false })
    asked.on('error', reject)
    asked.on('response', async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString()
      resolve([answer.statusCode ?? 0, text])
    })
    asked.end(body)
  })
}

async function started(
  t: TestContext,
  folder: string,
  port: string,
  [command, ...words]: readonly [string, ...string[]],
): Promise<ChildProcess> {
  const env = {
    ...process.env,
    TETHER_SIGNING_SECRET: secret,
    PORT: port,
    DATABASE: path.join(folder, 'shop.sqlite'),
    CLAIMS: path.join(folder, 'claims'),
  }
  const child = spawn(command, words, { cwd: folder, env: { ...env, PHP_CLI_SERVER_WORKERS: '' }, stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  for (const end = Date.now() + 60_000; ; ) {
    const isUp = await said(port, { body: '{}', headers: {} }).then(
      () => true,
      () => false,
    )
    if (isUp) return child
    if (Date.now() > end) throw new Error(`${command} did not listen within 60 s.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
