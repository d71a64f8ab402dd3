import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CITUS_SKIPPED, describeSkipped } from './citus-tests.ts'

test('each test that is skipped on Citus exists under its name, once in its file', () => {
  for (const { file, test: name } of CITUS_SKIPPED)
    assert.equal(readFileSync(file, 'utf8').split(`test('${name}'`).length - 1, 1, `${file}: ${name}`)
})

test('a run names the skipped tests of its own files', () => {
  const [first] = CITUS_SKIPPED
  assert.ok(first !== undefined)
  const told = describeSkipped([first.file])
  assert.ok(told.includes(first.test) && told.includes(first.reason))
  assert.equal(describeSkipped(['server/src/app.ts']), '')
})
