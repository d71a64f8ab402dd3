// What an integrator gets: a tarball, installed into an empty folder without a network, and the README. Nothing of the repository.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '../../scripts/free-port.ts'
import { MODULES } from '../../server/src/modules.ts'
import { openHouse } from '../../server/testkit/house.ts'
import { client } from './index.ts'

const SDK = path.join(import.meta.dirname, '..')
const project = mkdtempSync(path.join(tmpdir(), 'tether-integrator-'))
after(() => rmSync(project, { recursive: true, force: true }))

const npm = (...words: string[]): string =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--offline'], { cwd: project, encoding: 'utf8' })

before(() => {
  const name = npm('pack', SDK, '--silent').trim()
  npm('init', '-y')
  npm('install', `./${name}`)
})

/** Without the loader of TypeScript: an old Node has none. */
const run = (file: string, env: NodeJS.ProcessEnv = {}): string =>
  execFileSync(process.execPath, ['--no-experimental-strip-types', file], {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  })

test('it is installed by itself, with nothing beside it, and holds what it should', () => {
  const { packages } = JSON.parse(readFileSync(path.join(project, 'package-lock.json'), 'utf8')) as { packages: object }
  assert.deepEqual(Object.keys(packages), ['', 'node_modules/@tether/sdk'])
  const installed = path.join(project, 'node_modules/@tether/sdk')
  const {
    version,
    private: isPrivate,
    dependencies,
  } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
  assert.deepEqual([version, isPrivate, dependencies], ['1.0.0', undefined, undefined])
  for (const file of ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts', 'example/server.mjs'])
    assert.ok(readFileSync(path.join(installed, file)).length > 100, file)
})

test('what it does holds from outside', () => {
  cpSync(path.join(SDK, 'runtimes'), project, { recursive: true })
  assert.match(run('script.mjs'), /^\d\d held\n$/)
})

test('its types are good for a stranger, who has neither ours nor those of Node', () => {
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
    ...{ target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  }
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['shop.mts'] }))
  writeFileSync(
    path.join(project, 'shop.mts'),
    `import { client, receiver, type Schemas, type TetherError } from '@tether/sdk'
     const catalog = [{ name: 'get_order', description: 'x', is_write: false, parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] } }] as const
     export const tools = receiver({ secret: 'whsec_x', catalog, tools: { get_order: ({ arguments: { number } }) => number.length } })
     const tether = client({ url: 'https://assistant.example' })
     void tether.request('PUT /v1/tools', { body: catalog })
     export const account: Promise<Schemas['Account']> = tether.request('GET /v1/account')
     export const known = (error: TetherError) => error.code === 'rate_limited'
     // @ts-expect-error it needs its params
     void tether.request('POST /v1/tools/{name}/call')
     // @ts-expect-error no such operation
     void tether.request('GET /v1/nothing')
     // @ts-expect-error no such tool
     receiver({ secret: 'x', catalog, tools: { get_order: () => 1, other: () => 2 } })`,
  )
  const tsc = path.join(SDK, '../node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc], { cwd: project, encoding: 'utf8' })
})

/** The files of the README, by the names that stand in their first lines. */
function readmeFiles(): ReadonlyMap<string, string> {
  const readme = readFileSync(path.join(project, 'node_modules/@tether/sdk/README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```js\n\/\/ (\S+\.mjs)\n([\s\S]*?)```/g)]
  return new Map(blocks.map(([, name = '', code = '']) => [name, code]))
}

test("the README's five minutes, as they stand there, against the service", async (t) => {
  const files = readmeFiles()
  assert.deepEqual([...files.keys()], ['shop.mjs', 'set-up.mjs', 'try.mjs'])
  for (const [name, code] of files) writeFileSync(path.join(project, name), code)
  await using house = await openHouse({ modules: MODULES, settings: { 'Signup:Enabled': 'true' } })
  const TETHER_BASE_URL = await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  const PORT = String(await freePort())
  const asked = { TETHER_BASE_URL, SHOP_URL: `http://127.0.0.1:${PORT}/tools` }
  // The house is in this process, so the file must not be waited for in one piece.
  const [, key = '', secret = ''] =
    /^export TETHER_API_KEY=(\S+) TETHER_SIGNING_SECRET=(\S+)$/m.exec(await ran('set-up.mjs', asked)) ?? []
  const shop = start('shop.mjs', { TETHER_SIGNING_SECRET: secret, PORT })
  t.after(() => shop.kill())
  const heard: string[] = []
  shop.stdout?.on('data', (piece) => heard.push(String(piece)))
  await until(() =>
    fetch(asked.SHOP_URL).then(
      ({ status }) => status === 405,
      () => false,
    ),
  )
  const tried = await ran('try.mjs', { TETHER_BASE_URL, TETHER_API_KEY: key })
  assert.match(
    tried,
    /^ok \{ number: 'A-1001', state: 'paid' \}\npreview .+\nExecuted \{ number: 'A-1001', state: 'refunded' \}\nproposed /,
  )
  assert.match(tried, /^approved 7$/m)
  assert.match(tried, /^executed /m)
  house.app.startWork()
  await until(async () => heard.join('').includes('action.executed'))
})

test('the example of a whole shop, as it is installed: reads, a write that runs once, events, and a page with the widget', async (t) => {
  await using house = await openHouse({ modules: MODULES })
  house.app.startWork()
  const { apiKey, signingSecret } = await house.tenant()
  const TETHER_BASE_URL = await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  const PORT = String(await freePort())
  const example = 'node_modules/@tether/sdk/example/shop.mjs'
  const shop = start(example, { TETHER_BASE_URL, PORT, TETHER_API_KEY: apiKey, TETHER_SIGNING_SECRET: signingSecret })
  t.after(() => shop.kill())
  const heard: string[] = []
  shop.stdout?.on('data', (piece) => heard.push(String(piece)))
  await until(async () => heard.join('').includes('The shop is at'))
  const page = await (await fetch(`http://127.0.0.1:${PORT}/`)).text()
  assert.match(page, /<service-assistant endpoint="http.*publishable-key="tpk_/)
  const token = await (await fetch(`http://127.0.0.1:${PORT}/my/assistant-token`)).text()
  const tether = client({ url: TETHER_BASE_URL, key: apiKey, headers: { 'X-Service-Customer-Token': token } })
  const read = (name: string, given = {}) =>
    tether.request('POST /v1/tools/{name}/call', { params: { name }, body: { arguments: given } })
  const mine = await read('my_orders')
  assert.deepEqual('result' in mine && mine.result, {
    orders: [
      { number: 'A-1', state: 'paid' },
      { number: 'A-2', state: 'sent' },
    ],
  })
  assert.equal((await read('get_order', { number: 'A-9' })).status, 'endpoint_error')
  const staged = await tether.stage('cancel_order', { number: 'A-1' })
  const said = await tether.confirm(staged.actionId ?? '', { userId: 7 })
  assert.deepEqual(
    [said.status, said.appliedChanges, said.verification?.status],
    ['Executed', { number: 'A-1', state: 'cancelled' }, 'verified'],
  )
  assert.equal((await tether.stage('cancel_order', { number: 'A-2' })).status, 'precondition_failed')
  await until(async () => heard.join('').includes('action.verified'))
})

function start(file: string, env: Record<string, string>): ChildProcess {
  const args = ['--no-experimental-strip-types', file]
  return spawn(process.execPath, args, {
    cwd: project,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function ran(file: string, env: Record<string, string>): Promise<string> {
  const child = start(file, env)
  const pieces: string[] = []
  child.stdout?.on('data', (piece) => pieces.push(String(piece)))
  const [code] = await once(child, 'close')
  assert.equal(code, 0, `${file} ended with ${code}`)
  return pieces.join('')
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('It did not happen within 60 s.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
