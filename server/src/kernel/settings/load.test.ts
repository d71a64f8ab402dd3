import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, KEY, load, PRODUCTION, settingsOf, sourceOf } from './testing.ts'

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
      tenantFactor: 5,
      tenantBytesInFlight: 67_108_864,
      tenantLargeBodies: 8,
      freePlanRequestsPerDay: 200,
      queueLimit: 0,
    },
  )
  assert.deepEqual(
    { ...settings.toolTransport },
    {
      timeoutSeconds: 20,
      maxAttempts: 3,
      maxResponseBytes: 262_144,
      maxArgumentBytes: 262_144,
      callDays: 90,
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

test('settings that contradict each other refuse the start in any environment, and the fault names both', () => {
  const [fault, ...others] = faultsOf(load({ AI__Memory__RecentExchanges: '16' }))
  assert.equal(others.length, 0)
  assert.match(fault ?? '', /^AI:Memory:RecentExchanges is 16\. It must be less than AI:Memory:SummarizeAfterExchanges/)
  settingsOf(load({ AI__Memory__RecentExchanges: '16', AI__Memory__SummarizeAfterExchanges: '20' }))
})

test('nothing is forgotten before what still asks for it, and 0 keeps all', () => {
  const [turns, ledger, listed, ...others] = faultsOf(
    load({ AI__Usage__TurnDays: '399', AI__Usage__LedgerDays: '61', Events__DeliveryDays: '7' }),
  )
  assert.match(turns ?? '', /^AI:Usage:TurnDays is 399\. Set it to 400 or more/)
  assert.match(ledger ?? '', /^AI:Usage:LedgerDays is 61\. Set it to 62 or more/)
  assert.match(listed ?? '', /^Events:DeliveryDays is 7\. It must not be less than Events:UndeliveredDays \(30\)/)
  assert.equal(others.length, 0)
  settingsOf(load({ AI__Usage__TurnDays: '400', AI__Usage__LedgerDays: '0', Events__DeliveryDays: '30' }))
})

test('private places are allowed in Production, named at every start, and never wider than a private network', () => {
  const loaded = load({ ...PRODUCTION, Outbound__AllowedPrivate: 'erp.corp, 10.20.0.0/16' })
  assert.deepEqual(settingsOf(loaded).outbound.allowedPrivate, ['erp.corp', '10.20.0.0/16'])
  const [warning] = loaded.warnings.filter(({ setting }) => setting === 'Outbound:AllowedPrivate')
  assert.match(warning?.message ?? '', /sent to erp\.corp, 10\.20\.0\.0\/16/)
  assert.equal(load(PRODUCTION).warnings.filter(({ setting }) => setting === 'Outbound:AllowedPrivate').length, 0)
  const [fault] = faultsOf(load({ ...PRODUCTION, Outbound__AllowedPrivate: 'erp.corp,0.0.0.0/0' }))
  assert.match(
    fault ?? '',
    /Outbound:AllowedPrivate.*private address or range|Outbound:AllowedPrivate.*host names and private/,
  )
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
