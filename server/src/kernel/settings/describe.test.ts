import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeFaults, describeSettings } from './describe.ts'
import { loadSettings } from './load.ts'
import { settingsReference } from './read.ts'
import { settingsPage } from './reference.ts'
import { everySetting } from './schema.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const KEY = Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')
const readFile = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the list of settings names each with value, source and meaning, in 100 columns', () => {
  const long = `/${'deep/'.repeat(60)}`
  const loaded = loadSettings({
    env: {
      Encryption__Key: KEY,
      Database__DataDirectory: long,
      Database__Url: 'postgres://me:hush-hush@db/x',
      PORT: '99',
    },
    readFile,
  })
  const text = describeSettings(loaded)
  for (const line of text.split('\n')) assert.ok(line.length <= 100, `${line.length}: ${line}`)
  const flat = text.replace(/\s+/g, ' ')
  for (const { name, setting, group } of everySetting) {
    assert.ok(text.includes(`\n  ${name} = `), name)
    assert.ok(flat.includes(setting.meaning), name)
    assert.ok(text.includes(`${group.name}: `), name)
  }
  assert.match(text, /^ {2}Http:Port = 99 {2}\(the environment variable PORT\)$/m)
  assert.match(text, /^ {2}ToolTransport:AllowInsecureEndpoint = true {2}\(config\/development\.json\)$/m)
  assert.match(text, /^ {2}Database:Url = postgres:\/\/me:\*\*\*@db\/x {2}/m)
  assert.match(text, /^ {2}Encryption:Key = \(hidden\)/m)
  assert.match(text, /^ {2}Forwarding:RelaySecret = \(not set\) {2}\(default\)$/m)
  assert.ok(!text.includes(KEY) && !text.includes('hush-hush'))
})

test('the list can be printed when the settings are refused', () => {
  const loaded = loadSettings({ env: { PORT: 'x' }, readFile })
  assert.match(describeSettings(loaded), /^ {2}Http:Port = \(wrong\)/m)
  assert.match(describeFaults(loaded), /^The service does not start\. 2 settings need attention:$/m)
})

test('the profiles of the repository are right, and do what their environment needs', () => {
  const development = loadSettings({ env: { Encryption__Key: KEY, Operator__ApiKey: 'x'.repeat(32) }, readFile })
  assert.ok(development.ok)
  assert.deepEqual(development.warnings, [])
  assert.deepEqual(
    { ...development.settings.toolTransport },
    {
      timeoutSeconds: 20,
      maxAttempts: 3,
      maxResponseBytes: 262_144,
      maxArgumentBytes: 262_144,
      callDays: 90,
      allowInsecureEndpoint: true,
      allowPrivateNetworkEndpoint: true,
    },
  )
  assert.equal(development.settings.http.host, '127.0.0.1')
  const production = loadSettings({
    env: {
      Environment: 'Production',
      Encryption__Key: KEY,
      Http__PublicUrl: 'https://a.example',
      DATABASE_URL: 'postgres://db/x?sslmode=verify-full',
      Signup__IpHashSalt: '5f0c7e2b9a1d4836c8e7f01b2d3a4956',
      Operator__ApiKey: '9b1de0f4a7c25836b0e9d8c7f6a5b4c3d2e1f0a9',
    },
    readFile,
  })
  assert.ok(production.ok, describeFaults(production))
  assert.deepEqual(production.warnings, [])
  assert.equal(production.settings.http.host, '0.0.0.0')
  assert.equal(production.settings.toolTransport.allowPrivateNetworkEndpoint, false)
})

test('the reference has one row per setting, each a whole table row', () => {
  const page = `${settingsReference('service')}${settingsReference('assistant')}`
  for (const { name, setting } of everySetting) {
    const rows = page.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`))
    assert.equal(rows.length, 1, name)
    assert.ok(rows[0]?.includes(setting.meaning.replaceAll('|', '\\|')), name)
    assert.equal(rows[0]?.split(/(?<!\\)\|/).length, 6, rows[0])
  }
  assert.match(page, /`Http:Port` .* `8787` .* Also read from `PORT`\. \|$/m)
  assert.match(page, /`Http:Host` .*`127\.0\.0\.1`; Production: `0\.0\.0\.0`/)
  assert.match(
    page,
    /`ToolTransport:AllowInsecureEndpoint` .*`false`; Development: `true`.*does not start if it is true\./,
  )
  assert.match(page, /`Encryption:Key` .*Required\. Set it to the output of `openssl rand -base64 32`\./)
})

test('a profile shows in the reference as it is', () => {
  const page = settingsPage({ Development: '{"RateLimit:QueueLimit": 7}', Production: '{}' }, 'service')
  assert.match(page, /`RateLimit:QueueLimit` .*`0`; Development: `7` \|/)
})

test('each meaning says something in a sentence or two', () => {
  for (const { name, setting } of everySetting) {
    assert.match(setting.meaning, /^[A-Z].{15,200}\.$/, name)
    assert.ok(!setting.shape.expects.endsWith('.'), name)
  }
})
