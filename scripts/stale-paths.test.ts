import assert from 'node:assert/strict'
import test from 'node:test'
import { biomeFaults, importRuleFaults } from './stale-paths.ts'

test('a rule about imports whose path matches no file is reported', () => {
  const files = ['server/src/shop/index.ts', 'server/src/shop/prices.test.ts']
  const from = (path: string, pathNot?: string) => [
    { name: 'a-rule', from: { path, ...(pathNot && { pathNot }) }, to: {} },
  ]
  assert.deepEqual(importRuleFaults(from('^server/src/shop/'), files), [])
  assert.equal(importRuleFaults(from('^server/src/shops/'), files).length, 1)
  assert.equal(importRuleFaults(from('^server/src/shop/prices', '\\.test\\.ts$'), files).length, 1)
  assert.equal(importRuleFaults([{ name: 'a-rule', from: {}, to: { path: '^server/src/shops/' } }], files).length, 1)
})

test('an exception of the linter that matches no file is reported', () => {
  const config = (...includes: string[]) => ({ files: { includes: ['**'] }, overrides: [{ includes }] })
  assert.deepEqual(biomeFaults(config('scripts/**', '!docs/reference', 'server/src/main.ts')), [])
  assert.equal(biomeFaults(config('script/**', '!docs/references', 'server/src/mains.ts')).length, 3)
})
