import assert from 'node:assert/strict'
import test from 'node:test'
import { connectAllowed, readPolicies, type ScriptTag, scriptAllowed } from './csp.ts'
import { CASES, CHAT, PAGE, SCRIPT } from './fixtures/policies.ts'

const script = (policy: string | readonly string[], tag: ScriptTag = {}, page = PAGE) =>
  scriptAllowed(
    [policy].flat().flatMap((text) => readPolicies(text, false)),
    SCRIPT,
    page,
    tag,
  )
const connect = (policy: string, page = PAGE) => connectAllowed(readPolicies(policy, false), CHAT, page)

test('what a policy lets load and connect', () => {
  for (const [policy, mayLoad, mayConnect] of CASES) {
    assert.equal(script(policy), mayLoad, `script under ${policy}`)
    assert.equal(connect(policy), mayConnect, `connect under ${policy}`)
  }
})

test('a nonce or an integrity value on the tag opens what hosts do not', () => {
  assert.ok(script("script-src 'nonce-abc' 'strict-dynamic'", { nonce: 'abc' }))
  assert.ok(!script("script-src 'nonce-abc' 'strict-dynamic'", { nonce: 'ABC' }))
  assert.ok(!script("script-src 'nonce-abc'"))
  assert.ok(script("script-src 'sha384-aaaa'", { integrity: 'sha384-aaaa' }))
  assert.ok(!script("script-src 'sha384-aaaa'", { integrity: 'sha384-aaaa sha384-bbbb' }))
  assert.ok(!script(["script-src 'nonce-abc'", "script-src 'self'"], { nonce: 'abc' }), 'every policy must agree')
})

test('`self` is the page; a sandbox in a meta tag counts for nothing; no policy forbids nothing', () => {
  assert.ok(script("default-src 'self'", {}, 'https://assistant.example/demo'))
  assert.ok(script("default-src 'self'", {}, 'http://assistant.example/demo'))
  assert.ok(script('script-src assistant.example', {}, 'http://x.example'), 'better protected than what is allowed')
  assert.ok(scriptAllowed(readPolicies('sandbox', true), SCRIPT, PAGE, {}))
  assert.ok(script([]) && script('') && script(' ; ,'))
})
