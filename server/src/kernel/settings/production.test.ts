import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFaults } from './describe.ts'
import { everySetting } from './schema.ts'
import { faultsOf, load, PRODUCTION, settingsOf, warningsOf } from './testing.ts'

test('Production starts with what it needs, and with nothing else', () => {
  const loaded = load(PRODUCTION)
  assert.equal(settingsOf(loaded).environment, 'Production')
  assert.deepEqual(loaded.warnings, [])
  const bare = load({ Environment: 'Production', Encryption__Key: undefined })
  assert.ok(!bare.ok)
  assert.deepEqual(
    bare.faults.map(({ setting }) => setting),
    ['Http:PublicUrl', 'Database:Url', 'Encryption:Key', 'Signup:IpHashSalt'],
  )
  assert.match(describeFaults(bare), /Encryption:Key is missing\. Set it to the output of `openssl rand -base64 32`/)
})

test('an empty value is as good as none where Production needs one', () => {
  for (const name of ['Http__PublicUrl', 'Database__Url', 'Encryption__Key', 'Signup__IpHashSalt']) {
    const messages = faultsOf(load({ ...PRODUCTION, [name]: ' ' }))
    assert.equal(messages.length, 1, name)
    assert.match(messages[0] ?? '', / is missing\. /)
  }
})

test('Production runs on the embedded database only when that is said', () => {
  const { database } = settingsOf(load({ ...PRODUCTION, Database__Url: '', Database__AllowEmbedded: 'true' }))
  assert.equal(database.url, undefined)
})

test('an unset operator key is a warning, because the specification has an answer for it', () => {
  const loaded = load({ ...PRODUCTION, Operator__ApiKey: '' })
  assert.equal(settingsOf(loaded).operator.apiKey, undefined)
  assert.match(warningsOf(loaded)[0] ?? '', /^Operator:ApiKey: .*openssl rand -hex 32/)
})

test('sandboxes need a salt in Production as soon as they are open', () => {
  const [message = '', ...others] = faultsOf(load({ ...PRODUCTION, PreviewSandbox__Enabled: 'true' }))
  assert.match(message, /^PreviewSandbox:IpHashSalt .*openssl rand -hex 32/)
  assert.deepEqual(others, [])
  settingsOf(load({ PreviewSandbox__Enabled: 'true', PreviewSandbox__IpHashSalt: '' }))
})

test('every unsafe value is refused in Production and allowed in Development', () => {
  const unsafe: { readonly [variable: string]: string } = {
    Http__PublicUrl: 'http://tether.example.com',
    Operator__ApiKey: 'a'.repeat(40),
    Encryption__Key: Buffer.alloc(32).toString('base64'),
    PreviewSandbox__IpHashSalt: 'short',
    Signup__IpHashSalt: 'short',
    Forwarding__KnownProxies: '10.0.0.1,0.0.0.0/0',
    Forwarding__RelaySecret: '0'.repeat(32),
    Mail__Transport: 'console',
    ToolTransport__AllowInsecureEndpoint: 'true',
    ToolTransport__AllowPrivateNetworkEndpoint: 'true',
  }
  const together = faultsOf(load({ ...PRODUCTION, ...unsafe }))
  assert.equal(together.length, Object.keys(unsafe).length)
  for (const [variable, value] of Object.entries(unsafe)) {
    const [message] = faultsOf(load({ ...PRODUCTION, [variable]: value }))
    assert.match(message ?? '', new RegExp(`^${variable.replace('__', ':')} .* is unsafe in Production\\. `))
    settingsOf(load({ [variable]: value }))
  }
  const declared = everySetting.filter(({ setting }) => setting.unsafe).map(({ name }) => name.replace(':', '__'))
  assert.deepEqual(declared.sort(), Object.keys(unsafe).sort())
})

test('a Development that others can reach, or that was meant to be Production, is a warning', () => {
  assert.match(warningsOf(load({ Http__Host: '0.0.0.0' }))[0] ?? '', /^Http:Host: Development allows/)
  assert.ok(warningsOf(load({ NODE_ENV: 'production' })).some((message) => message.includes('this is Development')))
  assert.ok(
    !warningsOf(load({ NODE_ENV: 'production', Environment: 'Development' })).some((message) =>
      message.includes('NODE_ENV'),
    ),
  )
})

test('a database or a Redis that is reached unencrypted is a warning in Production, unless it is on this machine', () => {
  const said = (address: Record<string, string>) =>
    warningsOf(load({ ...PRODUCTION, ...address }))
      .filter((words) => /^(?:Database|Redis):/.test(words))
      .join()
  for (const plain of [
    'postgres://app:hush@db:5432/x',
    'postgresql://db/x?sslmode=disable',
    'postgres://db/x?sslmode=',
  ])
    assert.match(
      said({ Database__Url: plain }),
      /^Database:Url: .* unencrypted to db(?::5432)?\. Add \?sslmode=verify-full/,
    )
  assert.match(
    said({ Redis__Url: 'redis://:hush@limits:6379' }),
    /^Redis:Url: .* unencrypted to limits:6379\. Use rediss/,
  )
  assert.ok(!said({ Database__Url: 'postgres://app:hush@db/x', Redis__Url: 'redis://:hush@db' }).includes('hush'))
  for (const fine of [
    { Database__Url: 'postgres://db/x?sslmode=verify-full' },
    { Database__Url: 'postgres://app@127.0.0.1/x', Redis__Url: 'redis://localhost' },
    { Database__Url: 'postgres:///x?host=/var/run/postgresql' },
    { Redis__Url: 'rediss://limits' },
  ])
    assert.equal(said(fine), '', JSON.stringify(fine))
  const inDevelopment = warningsOf(load({ Database__Url: 'postgres://db/x', Redis__Url: 'redis://limits' }))
  assert.ok(!inDevelopment.join().includes('unencrypted'))
})
