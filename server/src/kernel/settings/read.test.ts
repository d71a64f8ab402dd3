import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

const SCRIPT = `
  const { readSettings, describeFaults } = await import(process.argv[1])
  const loaded = readSettings()
  const told = loaded.ok ? { settings: loaded.settings, sources: loaded.sources } : { faults: describeFaults(loaded) }
  process.stdout.write(JSON.stringify({ ok: loaded.ok, ...told }))
`

type Told = {
  readonly ok: boolean
  readonly faults: string
  readonly settings: { readonly http: { readonly port: number }; readonly encryption: { readonly key: string } }
  readonly sources: readonly { readonly name: string; readonly source: string }[]
}

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'tether-read-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A process of its own, because the environment of this one is not ours to change. */
function start(cwd: string, env: NodeJS.ProcessEnv): Told {
  const args = ['--input-type=module', '-e', SCRIPT, join(import.meta.dirname, 'index.ts')]
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

test('a newcomer starts with nothing set, from any folder', (t) => {
  const cwd = folder(t)
  const told = start(cwd, {})
  assert.equal(told.ok, true)
  const key = readFileSync(join(cwd, '.data/development-secrets/Encryption-Key'), 'utf8')
  assert.equal(told.settings.encryption.key, key)
  const source = told.sources.find(({ name }) => name === 'Encryption:Key')?.source
  assert.equal(source, '.data/development-secrets/Encryption-Key')
})

test('CONFIG_FILE is found from where the service is started', (t) => {
  const cwd = folder(t)
  writeFileSync(join(cwd, 'mine.json'), '{"Http": {"Port": 4321}}')
  assert.equal(start(cwd, { CONFIG_FILE: 'mine.json' }).settings.http.port, 4321)
})

test('a data directory that cannot be made is a fault with advice, beside the others', (t) => {
  const cwd = folder(t)
  mkdirSync(join(cwd, 'sub'))
  writeFileSync(join(cwd, 'sub/file'), '')
  const told = start(cwd, { Database__DataDirectory: 'sub/file/data', PORT: 'x' })
  assert.equal(told.ok, false)
  assert.match(told.faults, /secrets of Development cannot be stored in the data directory: E/)
  assert.match(told.faults, /Http:Port is "x"/)
})
