import assert from 'node:assert/strict'
import test from 'node:test'
import { atOnce } from '../../kernel/json/index.ts'
import { compare } from './versions.ts'

const toolsOf = (count: number, from = 0, more: object = {}) =>
  JSON.stringify(
    Array.from({ length: count }, (_, at) => ({
      name: `tool_${at + from}`,
      description: `Looks up things of sort ${at + from}. ${'It says what there is of them. '.repeat(30)}`,
      parameters: { type: 'object', properties: { number: { type: 'string' }, amount: { type: 'number' } } },
      ...more,
    })),
  )

test('two versions differ in the tools that came and went, and in the members of those that stayed', () => {
  const before = '[{"name":"a","risk":"low"},{"name":"b","limit":1.10},{"name":"c"}]'
  const after = '[{"name":"c"},{"risk":"high","name":"a"},{"name":"d"},{"limit":1.1,"name":"b"}]'
  assert.deepEqual(atOnce(compare(before, after)), {
    added: ['d'],
    removed: [],
    changed: [{ tool: 'a', members: [{ member: 'risk', before: '"low"', after: '"high"' }] }],
  })
  assert.deepEqual(atOnce(compare(after, '[]')).removed, ['c', 'a', 'd', 'b'])
  assert.deepEqual(atOnce(compare(before, before)), { added: [], removed: [], changed: [] })
})

test('others have their turn while large versions are compared, whatever of them differs', () => {
  const [before, after] = [toolsOf(5_000), toolsOf(5_000, 10, { risk: 'high' })]
  assert.ok(before.length > 5_000_000)
  const work = compare(before, after)
  let turns = 0
  for (;;) {
    const step = work.next()
    if (step.done) {
      const { added, removed, changed } = step.value
      assert.deepEqual([added.length, removed.length, changed.length], [10, 10, 4_990])
      break
    }
    turns++
  }
  // A turn is about 64 K characters read, or twice as many compared.
  assert.ok(turns >= (before.length + after.length) / 64 / 1024, `${turns} turns`)
})
