// Runs the runner on files that fail in every way, and holds the report to what a person needs to act.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeEntry } from './test-files.ts'

const REPORT = path.join(import.meta.dirname, 'test-report.ts')

type Report = { readonly text: string; readonly status: number | null; readonly tally: unknown }

function run(t: TestContext, files: Record<string, string>, how: { verbose?: boolean; flags?: string[] } = {}): Report {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-report-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, body] of Object.entries(files)) {
    const imports = "import { suite, test } from 'node:test'\nimport assert from 'node:assert/strict'\n"
    writeFileSync(path.join(folder, name), imports + body)
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  const together = Object.keys(files).filter((name) => name.startsWith('shared'))
  const alone = Object.keys(files).filter((name) => !together.includes(name))
  const entry = path.join(folder, 'entry.test.mjs')
  const entries = together.length === 0 ? {} : { [writeEntry(entry, together)]: together }
  writeFileSync(path.join(folder, 'entries.json'), JSON.stringify(entries))
  const { NODE_TEST_CONTEXT: _, TEST_TALLY: __, ...env } = process.env
  const ended = spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${REPORT}`, ...(how.flags ?? []), ...Object.keys(entries), ...alone],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...env,
        TEST_COMMAND: 'npm test --',
        TEST_ENTRIES: path.join(folder, 'entries.json'),
        TEST_VERBOSE: how.verbose === true ? '1' : '0',
      },
    },
  )
  return { text: ended.stdout, status: ended.status, tally: ended.stdout.trim().split('\n').at(-1) }
}

const PASSES = `console.log('noise'); test('passes', () => {})`

test('a run that passes prints nothing but its skipped tests and the counts', (t) => {
  const skips = `test('needs Redis', { skip: 'There is no Redis server here.' }, () => {})`
  const { text, status } = run(t, { 'a.test.ts': PASSES, 'b.test.ts': skips })
  assert.equal(text, 'Skipped:\n  There is no Redis server here.\n    b.test.ts › needs Redis\n1 passed, 0 failed\n')
  assert.equal(status, 0)
})

test('the report lists each failure with its file, name, first line of the error and the command that repeats it', (t) => {
  const fails = `suite('orders', () => { test("doesn't ship twice", () => assert.equal(1, 2)) })`
  const { text, status, tally } = run(t, { 'a.test.ts': PASSES, 'b.test.ts': fails })
  const list = text.slice(text.indexOf('Failed:'))
  assert.match(list, /^ {2}b\.test\.ts\n {4}orders › doesn't ship twice\n {6}Expected values to be strictly equal:\n/m)
  assert.match(list, /^ {6}npm test -- b\.test\.ts --name orders$/m)
  assert.ok(text.indexOf('✖ b.test.ts') < text.indexOf('Failed:'), 'the whole error is printed before the list')
  assert.equal(tally, '1 passed, 1 failed')
  assert.equal(status, 1)
})

test('a name with a quote can be pasted into a shell', (t) => {
  const { text } = run(t, { 'a.test.ts': `test("doesn't ship twice", () => assert.fail('no'))` })
  assert.match(text, /^ {6}npm test -- a\.test\.ts --name 'doesn'\\''t ship twice'$/m)
})

test('a failure in a shared process names the file of the test', (t) => {
  const fails = `test('fails', () => assert.fail('broken'))`
  const { text, tally } = run(t, { 'shared-a.test.ts': PASSES, 'shared-b.test.ts': fails })
  assert.match(
    text,
    /^ {2}shared-b\.test\.ts\n {4}fails\n {6}broken\n {6}npm test -- shared-b\.test\.ts --name fails$/m,
  )
  assert.equal(tally, '1 passed, 1 failed')
})

test('a process that dies, and a file that cannot be loaded, fail under the name of the file with what they wrote', (t) => {
  const dies = `test('kills', () => process.kill(process.pid, 'SIGKILL'))`
  const { text, status, tally } = run(t, { 'a.test.ts': dies, 'b.test.ts': "import './nowhere.ts'" })
  assert.match(text, /^ {6}The process ended with SIGKILL, outside any test\.\n {6}npm test -- a\.test\.ts$/m)
  assert.match(text, /^ {2}\| .*nowhere\.ts/m)
  assert.equal(tally, '0 passed, 2 failed')
  assert.equal(status, 1)
})

test('a test that hangs fails under its own name', (t) => {
  const hangs = `test('never ends', () => new Promise(() => setTimeout(() => {}, 3_000)))`
  const { text, tally } = run(t, { 'a.test.ts': hangs }, { flags: ['--test-timeout=200'] })
  assert.match(text, /^ {4}never ends\n {6}test timed out after 200ms\n/m)
  assert.equal(tally, '0 passed, 1 failed')
})

test('a name that no test has fails the run', (t) => {
  const { text, status } = run(t, { 'a.test.ts': PASSES }, { flags: ['--test-name-pattern=^nothing$'] })
  assert.equal(text, '0 passed, 0 failed\nNo test has this name.\n')
  assert.equal(status, 1)
})

test('verbose prints every test and what the files write', (t) => {
  const { text } = run(t, { 'a.test.ts': PASSES }, { verbose: true })
  assert.match(text, /^noise$/m)
  assert.match(text, /^✔ a\.test\.ts › passes \(\d+ ms\)$/m)
})
