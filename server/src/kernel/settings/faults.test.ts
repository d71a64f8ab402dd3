import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFaults } from './describe.ts'
import { loadSettings } from './load.ts'
import { faultsOf, input, load, settingsOf, warningsOf } from './testing.ts'

test('a wrong shape names the setting, the value, its source and what is expected', () => {
  assert.deepEqual(faultsOf(load({ RateLimit__RuntimePerMinute: 'many' })), [
    'RateLimit:RuntimePerMinute is "many" (from the environment variable RateLimit__RuntimePerMinute), but it must be a whole number from 1 to 1000000.',
  ])
  assert.deepEqual(faultsOf(load({}, { 'config/development.json': { RateLimit: { QueueLimit: { a: 1 } } } })), [
    'RateLimit:QueueLimit is {"a":1} (from config/development.json), but it must be a whole number from 0 to 10000.',
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
    'RateLimit:RuntimPerMinute (from the environment variable RateLimit__RuntimPerMinute) has no effect, because there is no setting RateLimit:RuntimPerMinute. The closest setting is RateLimit:RuntimePerMinute.',
  ])
})

test('an unknown section in a file is a warning with the nearest section', () => {
  const loaded = load({}, { 'config/development.json': { RatLimit: { RuntimePerMinute: 5 }, Log: 'debug' } })
  settingsOf(loaded)
  const [section, name] = warningsOf(loaded).filter((message) => message.includes('no effect'))
  assert.match(section ?? '', /^RatLimit:RuntimePerMinute .* no section RatLimit\. The closest section is RateLimit\.$/)
  assert.match(name ?? '', /^Log .* The closest setting is Log:/)
})

test('a file that is no JSON is named with the place of the fault and without its text', () => {
  const secret = 'tth_0123456789abcdef'
  for (const broken of [`{\n  "Operator": {"ApiKey": "${secret}",}}`, `{"a": ${secret}}`, '"text"', '[]', '']) {
    const messages = faultsOf(load({ CONFIG_FILE: '/a.json' }, { '/a.json': broken }))
    assert.equal(messages.length, 1, JSON.stringify(broken))
    assert.match(messages[0] ?? '', /^\/a\.json (is not valid JSON|must contain one JSON object)/)
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
  assert.match(faultsOf(unreadable)[0] ?? '', /config\/development\.json could not be read \(EACCES/)
  const missing = loadSettings({ ...given, readFile: () => undefined })
  settingsOf(missing)
  assert.match(warningsOf(missing)[0] ?? '', /config\/development\.json is missing/)
})
