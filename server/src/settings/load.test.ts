import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeFaults, describeSettings } from './describe.ts'
import type { SettingsInput } from './gather.ts'
import { type Loaded, loadSettings } from './load.ts'
import { everySetting } from './schema.ts'

const KEY = Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')

type Files = { readonly [path: string]: string | object }

/** Both profiles are there and empty unless a test says otherwise. */
function input(
  env: SettingsInput['env'],
  files: Files = {},
  generated: SettingsInput['generated'] = [],
): SettingsInput {
  const all: Files = { 'config/development.json': {}, 'config/production.json': {}, ...files }
  return {
    env: { Encryption__Key: KEY, ...env },
    readFile(path) {
      const content = all[path]
      return typeof content === 'object' ? JSON.stringify(content) : content
    },
    generated,
  }
}

const load = (...given: Parameters<typeof input>): Loaded => loadSettings(input(...given))

function settingsOf(loaded: Loaded) {
  assert.ok(loaded.ok, describeFaults(loaded))
  return loaded.settings
}

function faultsOf(loaded: Loaded): readonly string[] {
  assert.ok(!loaded.ok, 'these settings should be refused')
  return loaded.faults.map(({ message }) => message)
}

const warningsOf = (loaded: Loaded) => loaded.warnings.map(({ message }) => message)
const sourceOf = (loaded: Loaded, name: string) => loaded.sources.find((reading) => reading.name === name)?.source

const PRODUCTION = {
  Environment: 'Production',
  Http__PublicUrl: 'https://tether.example.com',
  Database__Url: 'postgres://app:correct-horse@db.internal:5432/tether',
  Signup__IpHashSalt: '5f0c7e2b9a1d4836c8e7f01b2d3a4956',
  Operator__ApiKey: '9b1de0f4a7c25836b0e9d8c7f6a5b4c3d2e1f0a9',
}

test('without any source the defaults of the specification stand', () => {
  const settings = settingsOf(load({}))
  assert.equal(settings.environment, 'Development')
  assert.deepEqual(
    { ...settings.rateLimit },
    {
      runtimePerMinute: 120,
      controlPerMinute: 600,
      anonymousPerMinute: 10,
      visitorPerMinute: 30,
      queueLimit: 0,
    },
  )
  assert.deepEqual(
    { ...settings.toolTransport },
    {
      timeoutSeconds: 20,
      maxAttempts: 3,
      maxResponseBytes: 262_144,
      allowInsecureEndpoint: false,
      allowPrivateNetworkEndpoint: false,
    },
  )
  assert.equal(settings.http.port, 8787)
  assert.equal(settings.http.host, '127.0.0.1')
  assert.equal(settings.database.url, undefined)
  assert.equal(settings.database.dataDirectory, '.data')
  assert.equal(settings.account.maxLiveKeys, 10)
  assert.equal(settings.signup.ipHashSalt, '')
  assert.equal(settings.encryption.key, KEY)
})

test('settings cannot be changed after they were read', () => {
  const { rateLimit } = settingsOf(load({}))
  assert.throws(() => Object.assign(rateLimit, { runtimePerMinute: 1 }), TypeError)
})

test('the later source wins: default, generated, profile, CONFIG_FILE, plain variable, variable with __', () => {
  const levels = [
    { generated: 9001, source: 'made' },
    { profile: 9002, source: 'config/development.json' },
    { named: 9003, source: '/etc/tether.json' },
    { plain: 9004, source: 'the environment variable PORT' },
    { own: 9005, source: 'the environment variable Http__Port' },
  ]
  assert.equal(sourceOf(load({}), 'Http:Port'), 'default')
  for (const [index, { source }] of levels.entries()) {
    const given = Object.assign({}, ...levels.slice(0, index + 1))
    const loaded = load(
      {
        CONFIG_FILE: '/etc/tether.json',
        ...(given.plain && { PORT: String(given.plain) }),
        ...(given.own && { Http__Port: String(given.own) }),
      },
      {
        'config/development.json': given.profile ? { Http: { Port: given.profile } } : {},
        '/etc/tether.json': given.named ? { Http: { Port: given.named } } : {},
      },
      [{ name: 'Http:Port', raw: given.generated, from: 'made', kind: 'generated' }],
    )
    assert.equal(settingsOf(loaded).http.port, 9001 + index)
    assert.equal(sourceOf(loaded, 'Http:Port'), source)
  }
})

test('the case of a variable does not matter, and a colon works as well as two underscores', () => {
  assert.equal(settingsOf(load({ RATELIMIT__RUNTIMEPERMINUTE: '5' })).rateLimit.runtimePerMinute, 5)
  assert.equal(settingsOf(load({ ratelimit__runtimeperminute: '6' })).rateLimit.runtimePerMinute, 6)
  assert.equal(settingsOf(load({ 'RateLimit:RuntimePerMinute': '7' })).rateLimit.runtimePerMinute, 7)
})

test('a file takes nested objects, flat names and remarks', () => {
  const files = {
    'config/development.json': {
      '//': 'a remark',
      RateLimit: { RuntimePerMinute: 5, '// why': 'another' },
      'ratelimit:CONTROLPERMINUTE': '6',
      Forwarding: { KnownProxies: ['10.0.0.1', '2001:db8::/32'] },
      ToolTransport: { AllowInsecureEndpoint: true },
    },
  }
  const loaded = load({}, files)
  const { rateLimit, forwarding, toolTransport } = settingsOf(loaded)
  assert.deepEqual([rateLimit.runtimePerMinute, rateLimit.controlPerMinute], [5, 6])
  assert.deepEqual(forwarding.knownProxies, ['10.0.0.1', '2001:db8::/32'])
  assert.equal(toolTransport.allowInsecureEndpoint, true)
  assert.deepEqual(
    loaded.warnings.filter(({ setting }) => setting !== 'Operator:ApiKey'),
    [],
  )
})

test('a byte order mark, as some editors write, does no harm', () => {
  const loaded = load({}, { 'config/development.json': '\uFEFF{"Http": {"Port": 1}}' })
  assert.equal(settingsOf(loaded).http.port, 1)
})

test('a list in a variable is comma-separated', () => {
  const { forwarding } = settingsOf(load({ Forwarding__KnownProxies: ' 10.0.0.1, 10.1.0.0/16 ,' }))
  assert.deepEqual(forwarding.knownProxies, ['10.0.0.1', '10.1.0.0/16'])
})

test('DATABASE_URL is read, and an empty value means that it is not set', () => {
  const url = 'postgres://u:p@h/db'
  assert.equal(settingsOf(load({ DATABASE_URL: url })).database.url, url)
  assert.equal(settingsOf(load({ DATABASE_URL: url, Database__Url: '' })).database.url, undefined)
  assert.equal(
    settingsOf(
      load({ Operator__ApiKey: '' }, {}, [
        { name: 'Operator:ApiKey', raw: 'x'.repeat(40), from: 'made', kind: 'generated' },
      ]),
    ).operator.apiKey,
    undefined,
  )
})

test('NO_COLOR turns colours off when it is not empty', () => {
  assert.equal(settingsOf(load({ NO_COLOR: '1' })).log.colors, false)
  assert.equal(settingsOf(load({ NO_COLOR: '' })).log.colors, true)
  assert.equal(settingsOf(load({ NO_COLOR: '1', Log__Colors: 'true' })).log.colors, true)
})

test('the public address follows from host and port in Development', () => {
  assert.equal(settingsOf(load({ PORT: '81' })).http.publicUrl, 'http://127.0.0.1:81')
  assert.equal(settingsOf(load({ Http__Host: '0.0.0.0' })).http.publicUrl, 'http://localhost:8787')
  assert.equal(settingsOf(load({ Http__Host: '::1' })).http.publicUrl, 'http://[::1]:8787')
  assert.equal(
    settingsOf(load({ Http__PublicUrl: 'https://a.example/base/' })).http.publicUrl,
    'https://a.example/base',
  )
})

test('a wrong shape names the setting, the value, its source and what is expected', () => {
  assert.deepEqual(faultsOf(load({ RateLimit__RuntimePerMinute: 'many' })), [
    'RateLimit:RuntimePerMinute is "many" (from the environment variable RateLimit__RuntimePerMinute), and a whole number from 1 to 1000000 is expected.',
  ])
  assert.deepEqual(faultsOf(load({}, { 'config/development.json': { RateLimit: { QueueLimit: { a: 1 } } } })), [
    'RateLimit:QueueLimit is {"a":1} (from config/development.json), and a whole number from 0 to 10000 is expected.',
  ])
})

test('all faults of all sources come at once', () => {
  const loaded = load(
    { Environment: 'staging', PORT: '-1', CONFIG_FILE: '/none.json', Redis__Url: 'http://h', Log__Level: 'loud' },
    { 'config/development.json': { ToolTransport: { MaxAttempts: 0 } } },
  )
  assert.ok(!loaded.ok)
  assert.deepEqual(loaded.faults.map(({ setting }) => setting).sort(), [
    'CONFIG_FILE',
    'Environment',
    'Http:Port',
    'Log:Level',
    'Redis:Url',
    'ToolTransport:MaxAttempts',
  ])
  const text = describeFaults(loaded)
  assert.match(text, /6 settings need attention/)
  for (const { message } of loaded.faults) assert.ok(text.includes(message))
})

test('only the value that would be used is judged', () => {
  const loaded = load({ Http__Port: '99' }, { 'config/development.json': { Http: { Port: 'wrong' } } })
  assert.equal(settingsOf(loaded).http.port, 99)
})

test('a setting given twice with different values is refused, a stranger of that kind is not', () => {
  const [message] = faultsOf(load({ Http__Port: '1', HTTP__PORT: '2' }))
  assert.match(message ?? '', /HTTP:PORT is given twice with different values/)
  assert.equal(settingsOf(load({ Http__Port: '1', HTTP__PORT: '1' })).http.port, 1)
  assert.deepEqual(faultsOf(load({}, { 'config/development.json': { 'Http:Port': 1, Http: { Port: 2 } } })).length, 1)
  settingsOf(load({ http_proxy: 'http://a', HTTP_PROXY: 'http://b', x__y: '1', X__Y: '2' }))
})

test('an unknown name under a known section is a warning with the nearest name', () => {
  const loaded = load({ RateLimit__RuntimPerMinute: '5', PATH: '/bin', Other__Thing: '1', LOG: 'x' })
  settingsOf(loaded)
  const warnings = warningsOf(loaded).filter((message) => message.includes('no effect'))
  assert.deepEqual(warnings, [
    'RateLimit:RuntimPerMinute (from the environment variable RateLimit__RuntimPerMinute) has no effect: there is no setting RateLimit:RuntimPerMinute. The nearest setting is RateLimit:RuntimePerMinute.',
  ])
})

test('an unknown section in a file is a warning with the nearest section', () => {
  const loaded = load({}, { 'config/development.json': { RatLimit: { RuntimePerMinute: 5 }, Log: 'debug' } })
  settingsOf(loaded)
  const [section, name] = warningsOf(loaded).filter((message) => message.includes('no effect'))
  assert.match(section ?? '', /^RatLimit:RuntimePerMinute .* no section RatLimit\. The nearest section is RateLimit\.$/)
  assert.match(name ?? '', /^Log .* The nearest setting is Log:/)
})

test('a file that is no JSON is named with the place of the fault and without its text', () => {
  const secret = 'tth_0123456789abcdef'
  for (const broken of [`{\n  "Operator": {"ApiKey": "${secret}",}}`, `{"a": ${secret}}`, '"text"', '[]', '']) {
    const messages = faultsOf(load({ CONFIG_FILE: '/a.json' }, { '/a.json': broken }))
    assert.equal(messages.length, 1, JSON.stringify(broken))
    assert.match(messages[0] ?? '', /^\/a\.json (is not valid JSON|must hold one JSON object)/)
    assert.ok(!messages[0]?.includes('tth'), messages[0])
  }
  const [placed] = faultsOf(load({ CONFIG_FILE: '/a.json' }, { '/a.json': '{\n  "a": 1,}' }))
  assert.match(placed ?? '', /line 2 column/)
})

test('a file that cannot be read is a fault, a missing profile only a warning', () => {
  const given = input({})
  const unreadable = loadSettings({
    ...given,
    readFile: () => {
      throw new Error('EACCES: permission denied')
    },
  })
  assert.match(faultsOf(unreadable)[0] ?? '', /config\/development\.json could not be read: EACCES/)
  const missing = loadSettings({ ...given, readFile: () => undefined })
  settingsOf(missing)
  assert.match(warningsOf(missing)[0] ?? '', /config\/development\.json is missing/)
})

test('the environment chooses the profile, and a profile cannot choose the environment', () => {
  const files = { 'config/production.json': { Http: { Host: '0.0.0.0' } } }
  assert.equal(settingsOf(load(PRODUCTION, files)).http.host, '0.0.0.0')
  const byFile = load(
    { ...PRODUCTION, Environment: undefined, CONFIG_FILE: '/a.json' },
    { ...files, '/a.json': { Environment: 'production' } },
  )
  assert.equal(settingsOf(byFile).http.host, '0.0.0.0')
  const [message] = faultsOf(load({}, { 'config/development.json': { Environment: 'Production' } }))
  assert.match(message ?? '', /Environment cannot be set in config\/development\.json/)
})

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

test('every unsafe value is refused in Production and allowed in Development', () => {
  const unsafe: { readonly [variable: string]: string } = {
    Http__PublicUrl: 'http://tether.example.com',
    Operator__ApiKey: 'a'.repeat(40),
    Encryption__Key: Buffer.alloc(32).toString('base64'),
    Signup__IpHashSalt: 'short',
    Forwarding__KnownProxies: '10.0.0.1,0.0.0.0/0',
    Forwarding__RelaySecret: '0'.repeat(32),
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

test('Encryption:Key is needed in Development, too, and its wrong value is never shown', () => {
  assert.match(faultsOf(load({ Encryption__Key: undefined }))[0] ?? '', /^Encryption:Key is missing/)
  const [message] = faultsOf(load({ Encryption__Key: 'c29tZXRoaW5nIHRvbyBzaG9ydA==' }))
  assert.equal(
    message,
    'Encryption:Key is a hidden value of 28 characters (from the environment variable Encryption__Key), and a base64 text of exactly 32 bytes is expected.',
  )
})

const secretNames = everySetting
  .filter(({ setting }) => setting.shape.secret)
  .map(({ name }) => name.replace(':', '__'))

test('no secret value, right or wrong, appears in what is printed', () => {
  assert.ok(secretNames.length >= 7)
  fc.assert(
    fc.property(
      fc.constantFrom(...secretNames),
      fc.stringMatching(/^[!-~]{6,60}$/),
      fc.boolean(),
      (name, text, url) => {
        const marked = `S3CR3T${text}`
        const scheme = name.startsWith('Redis') ? 'redis' : 'postgres'
        const loaded = load({ [name]: url ? `${scheme}://user:${marked}@host/db` : marked })
        const printed = [describeSettings(loaded), describeFaults(loaded), ...warningsOf(loaded)].join('\n')
        assert.ok(!printed.includes('S3CR3T'), printed)
      },
    ),
    { numRuns: 10000 },
  )
})

test('the log is told every secret, the password inside an address included', () => {
  const loaded = load({
    ...PRODUCTION,
    Database__Url: 'postgres://app:p%40ss-word-1@db/x',
    Encryption__PreviousKeys: KEY,
  })
  assert.ok(loaded.ok)
  for (const secret of [
    KEY,
    PRODUCTION.Operator__ApiKey,
    PRODUCTION.Signup__IpHashSalt,
    'p%40ss-word-1',
    'p@ss-word-1',
  ]) {
    assert.ok(loaded.secrets.includes(secret), secret)
  }
  assert.ok(!loaded.secrets.includes('127.0.0.1') && !loaded.secrets.includes(''))
})
