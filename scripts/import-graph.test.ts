import assert from 'node:assert/strict'
import test from 'node:test'
import { dependentsOf, importsOf } from './import-graph.ts'
import { testFiles } from './test-files.ts'
import { describeChoice, selectFiles, testOptions } from './test-options.ts'

const files = testFiles()
const testsOf = (changed: string): string[] => {
  const dependents = dependentsOf([changed])
  return files.filter((file) => dependents.has(file))
}

test('a change in a room selects its own tests and those that import it, and few others', () => {
  const selected = testsOf('server/src/modules/previews/webpages/index.ts')
  assert.ok(selected.includes('server/src/modules/previews/webpages/page/page.test.ts'))
  assert.ok(selected.includes('server/src/modules/previews/crawl/sites.test.ts'))
  assert.ok(!selected.includes('server/src/tenancy/mail/mail.test.ts'))
  assert.ok(selected.length < files.length / 10, `${selected.length} of ${files.length}`)
})

test('a change of the wiring or of a migration selects the tests that open the whole service', () => {
  for (const changed of ['server/src/app.ts', 'server/src/core.ts', 'server/migrations/1006_writes.sql']) {
    const selected = testsOf(changed)
    assert.ok(selected.includes('server/src/tenancy/mail/mail.test.ts'), changed)
    assert.ok(selected.includes('server/src/access-matrix.test.ts'), changed)
    assert.ok(!selected.includes('widget/src/colour.test.ts'), changed)
  }
})

test('a change of a module selects the tests that open it or the whole service, and no other test of the core', () => {
  const previews = testsOf('server/src/modules/previews/module.ts')
  assert.ok(previews.includes('server/src/access-matrix.test.ts'))
  assert.ok(!previews.includes('server/src/tenancy/mail/mail.test.ts'))
  const imported = testsOf('server/src/modules/openapi-import/index.ts')
  assert.ok(imported.includes('server/src/writes/actions/moved-destination.test.ts'), imported.join('\n'))
  assert.ok(!imported.includes('server/src/writes/actions/deciding.test.ts'))
})

test('a page of the documentation selects the tests that read it', () => {
  assert.ok(testsOf('docs/scale.md').includes('server/src/modules/docs/blocks.test.ts'))
})

test('imports are resolved beside the file, and an import in a string that names no file is none', () => {
  assert.deepEqual(importsOf('scripts/divided-tests.test.ts').sort(), [
    'scripts/divided-tests.ts',
    'scripts/files.ts',
    'scripts/test-files.ts',
  ])
  assert.ok(!importsOf('scripts/tests-together.test.ts').some((file) => file.includes('opened')))
})

test('a word that is the path of a file selects only that file, and other words select by part', () => {
  const all = ['a/x.test.ts', 'a/x.test.tsx', 'b/y.test.ts']
  const select = (...argv: string[]): string[] => selectFiles(all, testOptions(argv))
  assert.deepEqual(select('a/x.test.ts'), ['a/x.test.ts'])
  assert.deepEqual(select('a/', 'y'), all)
  assert.deepEqual(select(), all)
  assert.deepEqual(select('nothing'), [])
})

test('the options may stand before, between and behind the words', () => {
  assert.deepEqual(testOptions(['--verbose', 'access', '--name', 'a name', 'mail']), {
    words: ['access', 'mail'],
    name: 'a name',
    changed: false,
    verbose: true,
  })
  assert.throws(() => testOptions(['--chnaged']), /--chnaged/)
})

test('--changed says how many files it chose, and of how many', () => {
  assert.equal(describeChoice(12, 454), '12 of 454 test files depend on what changed.')
  assert.equal(describeChoice(0, 18, 'browser tests'), '0 of 18 browser tests depend on what changed.')
})
