// What a step takes is what action.yml says it takes, and what is wrong with it is said all at once, without the key.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { load } from 'js-yaml'
import { COMMENT, FAIL_ON, PUBLISH, readInputs, WITHOUT_KEY } from './inputs.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

type Input = { readonly description: string; readonly required?: boolean; readonly default?: string }
type Step = { readonly uses?: string; readonly with?: Readonly<Record<string, string>> }
type Action = {
  readonly inputs: Readonly<Record<string, Input>>
  readonly outputs: Readonly<Record<string, unknown>>
  readonly runs: { readonly using: string; readonly main: string }
}
const action = load(read('action/action.yml')) as Action

const envOf = (given: Readonly<Record<string, string>>) => ({
  env: Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
})
const TOKEN = 'ghs_of-the-job'
const KEY = `tci_${'0f'.repeat(24)}`
const GOOD = { 'service-url': 'https://tether.example', 'api-key': KEY, vocabulary: 'words.json' }
const faultsOf = (more: Readonly<Record<string, string>>): readonly string[] => {
  const found = readInputs(envOf({ ...GOOD, ...more }))
  return 'faults' in found ? found.faults : []
}

test('action.yml declares what is read, with the presets that the code has', () => {
  const sources = read('action/src/inputs.ts')
  const names = new Set([...sources.matchAll(/(?:text|optional|oneOf)\('([a-z-]+)'/g)].map(([, name]) => name))
  assert.deepEqual([...names].sort(), Object.keys(action.inputs).sort())
  for (const [name, words] of Object.entries({
    publish: PUBLISH,
    comment: COMMENT,
    'fail-on': FAIL_ON,
    'without-key': WITHOUT_KEY,
  })) {
    assert.equal(action.inputs[name]?.default, words[0])
    for (const word of words) assert.ok(action.inputs[name]?.description.includes(word), `${name}: ${word}`)
  }
  const presets = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: preset = '' }]) => [
      name,
      preset.replace(/\$\{\{ github\.token \}\}/, TOKEN),
    ]),
  )
  const [preset, bare] = [readInputs(envOf({ ...presets, ...GOOD })), readInputs(envOf(GOOD))]
  assert.ok('inputs' in preset && 'inputs' in bare)
  assert.deepEqual(preset.inputs, { ...bare.inputs, token: TOKEN })
  const outputs = new Set(
    [...read('action/src/run.ts').matchAll(/runner\.output\('([a-z-]+)'/g)].map(([, name]) => name),
  )
  assert.deepEqual([...outputs].sort(), Object.keys(action.outputs).sort())
  assert.equal(action.runs.using, 'node24')
  assert.ok(read(`action/${action.runs.main}`).startsWith('// The GitHub Action of Tether'))
})

test('every workflow of the page about it is one, with inputs and permissions that exist', () => {
  const blocks = [...read('docs/github-action.md').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) =>
    load(text),
  )
  assert.ok(blocks.length > 0)
  const steps: Step[] = []
  JSON.stringify(blocks, (_, value) => {
    if (typeof value?.uses === 'string') steps.push(value)
    return value
  })
  const ours = steps.filter(({ uses = '' }) => /\/action@/.test(uses))
  assert.ok(ours.length > 0)
  for (const { with: given = {} } of ours) {
    for (const name of Object.keys(given)) assert.ok(Object.hasOwn(action.inputs, name), name)
    const literal = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace(/\$\{\{ *secrets\.\w+ *\}\}/, KEY)]),
    )
    const found = readInputs(envOf(literal))
    assert.deepEqual('faults' in found ? found.faults : [], [])
  }
  const [first] = blocks as { on: object; permissions: object; concurrency: object }[]
  assert.deepEqual(first?.permissions, { contents: 'read', 'pull-requests': 'write' })
})

test('the page about it has every input and output', () => {
  const page = read('docs/github-action.md')
  for (const name of [...Object.keys(action.inputs), ...Object.keys(action.outputs)])
    assert.ok(page.includes(`\`${name}\``), name)
})

test('everything that is wrong is said at once, and how it is right', () => {
  const found = readInputs(
    envOf({ 'service-url': 'http://tether.example/x', publish: 'yes', 'comment-name': 'A B', operations: 'o.json' }),
  )
  assert.ok('faults' in found)
  assert.equal(found.faults.length, 5)
  for (const fault of found.faults) assert.match(fault, /(?:must be|takes|Set ).*\.$/)
  assert.deepEqual(faultsOf({}), [])
  assert.match(faultsOf({ vocabulary: '' })[0] ?? '', /nothing to do/)
  assert.match(faultsOf({ openapi: 'a.json' })[0] ?? '', /openapi-base-url is missing/)
  assert.match(faultsOf({ 'openapi-base-url': 'https://a.example' })[0] ?? '', /Set openapi as well/)
  assert.match(faultsOf({ knowledge: '!a.md' })[0] ?? '', /only leaves files out/)
  assert.match(faultsOf({ 'github-token': 'a b' })[0] ?? '', /space or a line break/)
  for (const url of [
    'https://user@tether.example',
    'https://tether.example?x',
    'ftp://tether.example',
    'http://127.0.0.1.evil.example',
  ])
    assert.equal(faultsOf({ 'service-url': url }).length, 1, url)
  for (const url of ['http://127.0.0.1:8787', 'http://[::1]:1', 'https://tether.example/'])
    assert.deepEqual(faultsOf({ 'service-url': url }), [], url)
})

test('no key but that of a pipeline is taken, and no fault shows it', () => {
  for (const key of [
    `tth_${'0f'.repeat(24)}`,
    `tag_${'0f'.repeat(24)}`,
    `"${KEY}"`,
    `${KEY}0`,
    'ghp_something',
    `tci_${'0F'.repeat(24)}`,
    `${KEY}\nx`,
  ]) {
    const faults = faultsOf({ 'api-key': key })
    assert.equal(faults.length, 1, key)
    assert.match(faults[0] ?? '', /CI key/)
    assert.ok(!faults.join().includes(key))
  }
  const empty = readInputs(envOf({ ...GOOD, 'api-key': '' }))
  assert.ok('inputs' in empty && empty.inputs.apiKey === null)
})
