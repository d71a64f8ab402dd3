import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { DIVIDED_TESTS, runsDivided } from './divided-tests.ts'
import { findFiles } from './files.ts'
import { testFiles } from './test-files.ts'

test('every entry of the divided tests names test files', () => {
  const files = testFiles()
  for (const start of Object.keys(DIVIDED_TESTS))
    assert.ok(
      files.some((file) => file.startsWith(start)),
      start,
    )
})

/** The rooms that do something else on divided tables, with the test that holds them where it is in another room. */
const HELD_ELSEWHERE: Readonly<Record<string, string>> = {
  'server/src/talk/streams': 'server/src/talk/chat/streaming.test.ts',
  'server/src/tools/calls': 'server/src/tools/calls/call-log.test.ts',
}

test('a room that behaves differently on divided tables is tested on them', () => {
  const sources = findFiles('server/src/*/*/**/*.ts', { exclude: ['**/*.test.ts', '**/settings/**'] })
  const different = sources.filter((file) => /\bdividedByTenant\b|\bbatchesOf\b/.test(readFileSync(file, 'utf8')))
  assert.ok(different.length > 5, `${different.length} sources`)
  for (const file of different) {
    const room = file.split(path.sep).slice(0, 4).join('/')
    assert.ok(runsDivided(HELD_ELSEWHERE[room] ?? `${room}/any.test.ts`), `${file}: list its room in divided-tests.ts`)
  }
})
