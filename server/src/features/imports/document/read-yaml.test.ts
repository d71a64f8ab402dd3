import assert from 'node:assert/strict'
import test from 'node:test'
import { longestYaml } from '../limits.ts'
import { readYaml } from './read-yaml.ts'

test('YAML of many short values is refused before it is parsed, because it is parsed in one go', () => {
  for (const [what, text] of Object.entries({
    documents: '---\n'.repeat(450_000),
    members: Array.from({ length: 150_000 }, (_, index) => `k${index}: 1`).join('\n'),
    numbers: `x: [${'1,'.repeat(900_000)}1]`,
    lists: `x: [${'[],'.repeat(600_000)}1]`,
    items: '- a\r'.repeat(450_000),
  }))
    assert.throws(() => readYaml(text), /more than 100000 lines and values.*send that/, what)
})

test('YAML of the greatest length is read where its lines are as long as those of ordinary documents', () => {
  const line = (index: number) => `  /things/number-${index}: {get: {operationId: thing${index}}}`
  const lines = Array.from({ length: 20_000 }, (_, index) => line(index))
  const padding = '  description: a sentence of an ordinary length, as it stands in documents'
  const text = ['paths:', ...lines, 'info:', `${padding}${' more words'.repeat(50_000)}`].join('\n')
  assert.ok(text.length > longestYaml * 0.6 && text.length < longestYaml)
  const read = readYaml(text) as { paths: object }
  assert.equal(Object.keys(read.paths).length, 20_000)
})
