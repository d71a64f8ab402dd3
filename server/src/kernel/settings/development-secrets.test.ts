import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { developmentSecrets } from './development-secrets.ts'
import { loadSettings } from './load.ts'

function place(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'tether-settings-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const directory = join(folder, 'data')
  const env: NodeJS.ProcessEnv = { Database__DataDirectory: directory }
  return { directory, secrets: join(directory, 'development-secrets'), input: { env, readFile: () => '{}' } }
}

const mode = (path: string): number => statSync(path).mode & 0o777

test('Development makes what it needs, and finds it again', (t) => {
  const { secrets, directory, input } = place(t)
  const made = developmentSecrets(input)
  assert.deepEqual(made.map(({ name }) => name).sort(), [
    'Encryption:Key',
    'Operator:ApiKey',
    'PreviewSandbox:IpHashSalt',
    'Signup:IpHashSalt',
  ])
  assert.deepEqual(developmentSecrets(input), made)
  assert.equal(new Set(made.map(({ raw }) => raw)).size, 4)
  assert.equal(mode(directory), 0o700)
  assert.equal(mode(secrets), 0o700)
  assert.deepEqual(
    readdirSync(secrets).map((file) => [file, mode(join(secrets, file))]),
    [
      ['Encryption-Key', 0o600],
      ['Operator-ApiKey', 0o600],
      ['PreviewSandbox-IpHashSalt', 0o600],
      ['Signup-IpHashSalt', 0o600],
    ],
  )
})

test('what it makes passes every check, those of Production included', (t) => {
  const { input } = place(t)
  const generated = developmentSecrets(input)
  const env = { Environment: 'Production', Http__PublicUrl: 'https://a.example', Database__AllowEmbedded: 'true' }
  const loaded = loadSettings({ ...input, env, generated })
  assert.ok(loaded.ok)
  assert.ok((loaded.settings.operator.apiKey?.length ?? 0) >= 32)
})

test('it makes nothing that a person gave, and nothing at all in Production', (t) => {
  const { input, directory } = place(t)
  const all = { Encryption__Key: 'x', Operator__ApiKey: '', Signup__IpHashSalt: '', PreviewSandbox__IpHashSalt: '' }
  assert.deepEqual(developmentSecrets({ ...input, env: { ...input.env, ...all } }), [])
  assert.deepEqual(developmentSecrets({ ...input, env: { ...input.env, Environment: 'production' } }), [])
  assert.throws(() => statSync(directory), { code: 'ENOENT' })
  const some = developmentSecrets({ ...input, env: { ...input.env, Operator__ApiKey: 'mine' } })
  assert.deepEqual(
    some.map(({ name }) => name),
    ['Encryption:Key', 'Signup:IpHashSalt', 'PreviewSandbox:IpHashSalt'],
  )
})

test('a secret that is added later leaves the earlier ones as they are', (t) => {
  const { secrets, input } = place(t)
  const before = developmentSecrets(input)
  rmSync(join(secrets, 'Signup-IpHashSalt'))
  const after = developmentSecrets(input)
  const isOther = ({ name }: { readonly name: string }) => name !== 'Signup:IpHashSalt'
  const saltOf = (all: typeof before) => all.find((one) => !isOther(one))?.raw
  assert.deepEqual(after.filter(isOther), before.filter(isOther))
  assert.notEqual(saltOf(after), saltOf(before))
})

test('rights that became too wide are narrowed again', (t) => {
  const { secrets, input } = place(t)
  developmentSecrets(input)
  const path = join(secrets, 'Encryption-Key')
  chmodSync(path, 0o644)
  developmentSecrets(input)
  assert.equal(mode(path), 0o600)
})

test('a spoilt file is named by the ordinary check', (t) => {
  const { secrets, input } = place(t)
  developmentSecrets(input)
  const path = join(secrets, 'Encryption-Key')
  writeFileSync(path, 'spoilt')
  const loaded = loadSettings({ ...input, generated: developmentSecrets(input) })
  assert.ok(!loaded.ok)
  assert.equal(loaded.faults.length, 1)
  assert.ok(loaded.faults[0]?.message.includes(path) && !loaded.faults[0].message.includes('spoilt'))
})

const STARTER = `
  const { developmentSecrets } = await import(process.argv[1])
  while (Date.now() < Number(process.argv[2])) {}
  const made = developmentSecrets({ env: process.env, readFile: () => '{}' })
  process.stdout.write(JSON.stringify(made.map(({ raw }) => raw)))
`

test('processes that start at once end with the same secrets', async (t) => {
  const { secrets, input } = place(t)
  const module = join(import.meta.dirname, 'development-secrets.ts')
  const start = String(Date.now() + 1500)
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', STARTER, module, start], {
        env: { ...input.env, PATH: process.env.PATH },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return text(child.stdout)
    }),
  )
  assert.equal(new Set(answers).size, 1, answers.join('\n'))
  const kept = readdirSync(secrets)
  assert.deepEqual(
    kept,
    ['Encryption-Key', 'Operator-ApiKey', 'PreviewSandbox-IpHashSalt', 'Signup-IpHashSalt'],
    'no draft is left behind',
  )
  const values: unknown = JSON.parse(answers[0] ?? '')
  assert.ok(Array.isArray(values))
  assert.deepEqual(new Set(values), new Set(kept.map((file) => readFileSync(join(secrets, file), 'utf8'))))
})
