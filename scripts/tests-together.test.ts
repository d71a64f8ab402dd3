import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { findFiles } from './files.ts'
import { writeEntry } from './test-files.ts'

const FIXTURE = `import { after, before } from 'node:test'
console.log('loaded')
before(() => console.log('opened'))
after(() => console.log('closed'))
export const opened = 1
`
const testFile = (name: string, body = ''): string => `import { before, test } from 'node:test'
import { opened } from './fixtures/opened.ts'
import { shared } from './shared.ts'
before(() => console.log('before ${name}'))
test('of ${name}', () => { console.log('test of ${name}', opened, ++shared.times); ${body} })
`

/** Runs the files as one process, and answers its exit code and what they printed, without what the runner says of them. */
function together(t: TestContext, files: Record<string, string>): { status: number | null; lines: string[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'fixtures'))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(folder, 'fixtures/opened.ts'), FIXTURE)
  writeFileSync(path.join(folder, 'shared.ts'), 'console.log("shared"); export const shared = { times: 0 }\n')
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const entry = writeEntry(path.join(folder, 'entry.test.mjs'), Object.keys(files))
  // As a process of the runner itself, this one would answer in its form.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const ended = spawnSync(process.execPath, ['--test', '--test-reporter=spec', entry], { cwd: folder, env })
  const lines = ended.stdout.toString().split('\n')
  return {
    status: ended.status,
    lines: lines.filter((line) => /^(?:loaded|shared|opened|closed|before|test) ?/.test(line)),
  }
}

test('files that share a process load the service once and their fixtures each, which close before the next file', (t) => {
  const { status, lines } = together(t, { 'a.test.ts': testFile('a'), 'b.test.ts': testFile('b') })
  assert.deepEqual(lines, [
    ...['loaded', 'shared', 'loaded'],
    ...['opened', 'before a', 'test of a 1 1', 'closed'],
    ...['opened', 'before b', 'test of b 1 2', 'closed'],
  ])
  assert.equal(status, 0)
})

test('a test that fails, a file that cannot be loaded, and a rejection that nobody awaits fail the process that is shared', (t) => {
  const fails = { throws: 'throw new Error()', rejects: 'void Promise.reject(new Error())' }
  for (const [name, body] of Object.entries(fails)) {
    const { status, lines } = together(t, { 'a.test.ts': testFile('a', body), 'b.test.ts': testFile('b') })
    assert.equal(status, 1, name)
    assert.ok(lines.includes('test of b 1 2'), `${name}: the others run`)
  }
  const { status, lines } = together(t, { 'a.test.ts': "import './nowhere.ts'", 'b.test.ts': testFile('b') })
  assert.equal(status, 1)
  assert.ok(lines.includes('test of b 1 1'), 'the others run')
})

test('no two test files or fixtures give an SQL statement the same name: a process knows one of them', () => {
  const files = findFiles(['{demo,sdk,server/src/*}/**/*.test.ts', '**/fixtures/*.ts'], {
    exclude: ['server/src/{process,kernel/db}/**'],
  })
  const given = files.flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/\b(?:statement|unlisted)(?:<[^(]*>)?\(\s*['`]([^'`]+)/g),
      ([, name = '']) => ({ name, file }),
    ),
  )
  assert.ok(given.length > 150, `${given.length}`)
  const names = Map.groupBy(given, ({ name }) => name)
  for (const [name, at] of names) assert.equal(at.length, 1, `${name}: ${at.map(({ file }) => file).join(', ')}`)
})
