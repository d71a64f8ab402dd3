import assert from 'node:assert/strict'
import test from 'node:test'
import { findFiles } from './files.ts'

test('finds the files of each alternative, once and in order', () => {
  const found = findFiles(['scripts/{files,check}.ts', 'scripts/f{iles,ormat}.ts'])
  assert.deepEqual(found, ['scripts/check.ts', 'scripts/files.ts', 'scripts/format.ts'])
  assert.deepEqual(findFiles('files.ts', { cwd: 'scripts' }), ['files.ts'])
})

test('a pattern fails if it or one of its alternatives matches nothing', () => {
  for (const [pattern, named] of [
    ['scripts/renamed/*.ts', 'scripts/renamed/*.ts'],
    ['{scripts,renamed}/files.ts', 'renamed/files.ts'],
    ['{scripts,widget}/{files,check}.ts', 'widget/files.ts'],
  ] as const)
    assert.throws(() => findFiles(pattern), {
      message: `No file matches "${named}". Correct the pattern, or take it out.`,
    })
  assert.throws(() => findFiles('scripts/files.ts', { exclude: ['scripts/**'] }), /No file matches/)
})
