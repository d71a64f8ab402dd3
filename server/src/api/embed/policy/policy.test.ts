import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsConnect, allowsScript, parsePolicies, type ScriptTag } from './allows.ts'
import * as CHROMIUM from './fixtures/policies.ts'

const SCRIPT = new URL('https://tether.example/widget/service-assistant.js')
const API = new URL('https://tether.example')
const PAGE = new URL('https://shop.example/')
const UNMARKED: ScriptTag = { nonce: null, integrity: null }

const may = (header: string, tag: Partial<ScriptTag> = {}, page = PAGE) => {
  const policies = parsePolicies(header)
  return [
    policies.every((policy) => allowsScript(policy, SCRIPT, page, { ...UNMARKED, ...tag })),
    policies.every((policy) => allowsConnect(policy, API, page)),
  ]
}

const CASES: readonly (readonly [header: string, script: boolean, connect: boolean])[] = [
  ['', true, true],
  ["img-src 'none'", true, true],
  ["default-src 'none'", false, false],
  ["default-src 'self'", false, false],
  ['default-src *', true, true],
  ['default-src https:', true, true],
  ['default-src HTTPS:', true, true],
  ['default-src http:', true, true],
  ['script-src https://tether.example; connect-src https://tether.example', true, true],
  ['script-src tether.example; connect-src tether.example', true, true],
  ['script-src http://tether.example', true, true],
  ['script-src https://tether.example:443/', true, true],
  ['script-src https://tether.example:8443', false, true],
  ['script-src https://tether.example:*', true, true],
  ['script-src https://tether.example/widget/', true, true],
  ['script-src https://tether.example/widget', false, true],
  ['script-src https://tether.example/widget/service-assistant.js', true, true],
  ['script-src https://*.example', true, true],
  ['script-src https://*.tether.example', false, true],
  ['script-src https://tether.example.evil', false, true],
  ["script-src 'none'; connect-src *", false, true],
  ['script-src; connect-src', false, false],
  ["script-src-elem https://tether.example; script-src 'none'; default-src 'none'", true, false],
  ["script-src https://tether.example; script-src 'none'", true, true],
  ["script-src 'strict-dynamic' https://tether.example", false, true],
  ["script-src https://tether.example 'unsafe-inline'", true, true],
  ["script-src https://tether.example, script-src 'self'", false, true],
  ['SCRIPT-SRC HTTPS://TETHER.EXAMPLE', true, true],
  ['script-src https://tether.example;;  ;connect-src\thttps://tether.example', true, true],
  ['sandbox', false, true],
  ['sandbox allow-scripts allow-forms', true, true],
  ["connect-src 'self' https://other.example", true, false],
  ['connect-src wss://tether.example', true, false],
  ['connect-src ws:', true, false],
]

for (const [header, script, connect] of CASES) {
  test(`a policy of "${header}" ${script ? 'lets' : 'keeps'} the script ${script ? 'in' : 'out'}${connect ? '' : ', and its calls'}`, () => {
    assert.deepEqual(may(header), [script, connect])
  })
}

test('a nonce counts for the script that carries it, also under strict-dynamic', () => {
  const header = "script-src 'nonce-r4nd0m' 'strict-dynamic'"
  assert.deepEqual(may(header, { nonce: 'r4nd0m' }), [true, true])
  assert.deepEqual(may(header, { nonce: 'R4ND0M' }), [false, true])
  assert.deepEqual(may(header, { nonce: '' }), [false, true])
})

test('a hash counts when every hash of the script’s integrity is listed', () => {
  const header = "script-src 'sha256-abc+/=' 'sha384-def'"
  assert.deepEqual(may(header, { integrity: 'sha256-abc+/=' })[0], true)
  assert.deepEqual(may(header, { integrity: 'sha256-abc-_=' })[0], true)
  assert.deepEqual(may(header, { integrity: 'sha256-abc+/= sha384-def' })[0], true)
  assert.deepEqual(may(header, { integrity: 'sha256-abc+/= sha512-other' })[0], false)
  assert.deepEqual(may(header, { integrity: 'md5-x' })[0], false)
})

test('self is the page’s own origin, and its safer form', () => {
  assert.deepEqual(may("default-src 'self'", {}, new URL('https://tether.example/')), [true, true])
  assert.deepEqual(may("default-src 'self'", {}, new URL('http://tether.example/')), [true, true])
  assert.deepEqual(may("default-src 'self'", {}, new URL('https://tether.example:8443/')), [false, false])
})

test('what chromium lets load and connect, so do we', () => {
  const page = new URL(CHROMIUM.PAGE)
  for (const [header, script, connect] of CHROMIUM.CASES) {
    const policies = parsePolicies(header)
    const said = [
      policies.every((policy) => allowsScript(policy, new URL(CHROMIUM.SCRIPT), page, UNMARKED)),
      policies.every((policy) => allowsConnect(policy, new URL(CHROMIUM.CHAT), page)),
    ]
    assert.deepEqual(said, [script, connect], header)
  }
})
