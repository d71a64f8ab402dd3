import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPreparedTakesLess, uncachedPattern } from '../../../testkit/processor.ts'
import { fillAnswer, fillArguments, questionOf } from './fill-arguments.ts'

const tool = (count: number, property: object) => {
  const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, property]))
  const parameters = { type: 'object', properties, required: Object.keys(properties) }
  return { name: 'find_thing', description: 'Finds a thing.', isWrite: false, parameters }
}
const text = 'find thing 12 '.repeat(571)

test('reports a missing argument that is named like a member of every object', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const properties = JSON.parse(`{"${name}":{"type":"integer","description":"The size."}}`) as object
    const parameters = { type: 'object', properties, required: [name] }
    const one = { name: 'find_thing', description: 'Finds a thing.', isWrite: false, parameters }
    const without = fillArguments(one, questionOf('find a thing'))
    assert.deepEqual(
      without.missing.map((property) => property.name),
      [name],
    )
    const answer = fillAnswer(one, without.values, '12')
    assert.deepEqual(Object.entries(answer.values), [[name, 12]])
  }
})

test('takes the rest of an answer as the free argument only if it says more than the recognized value', () => {
  const properties = { count: { type: 'integer' }, city: { type: 'string' } }
  const parameters = { type: 'object', properties, required: ['count', 'city'] }
  const one = { name: 'find_thing', description: 'Finds a thing.', isWrite: false, parameters }
  assert.deepEqual(fillAnswer(one, {}, '12 Tbilisi').values, { count: 12, city: 'Tbilisi' })
  assert.deepEqual(fillAnswer(one, {}, 'it is 12 of them').values, { count: 12 })
})

test('neither very many arguments nor the longest messages hold the process', () => {
  const properties = (run: number) => [
    { type: 'string', pattern: uncachedPattern('^(?:a|b){1,9}(x{1,40}y){40}$', run) },
    { enum: ['a', 'b'] },
    { type: 'integer' },
  ]
  for (const at of [0, 1, 2]) {
    for (const count of [40, 900]) {
      const fill = (run: number) => {
        const one = tool(count, properties(run)[at] ?? {})
        return () => fillArguments(one, questionOf(text, [text, text, text, text]))
      }
      const { missing } = assertPreparedTakesLess(250, fill, `${count} of ${JSON.stringify(properties(0)[at])}`)
      assert.ok(missing.length >= count - 1)
    }
  }
})

test('eighty tools with slow patterns share what a question may cost', () => {
  // Each may stand at any of its states after each letter.
  const slow = (most: number, run: number) => ({
    type: 'string',
    pattern: uncachedPattern(`^(?:a?b?){1,${most}}c$`, run),
  })
  const word = 'ab'.repeat(400)
  assertPreparedTakesLess(200, (run) => {
    const tools = Array.from({ length: 80 }, (_, index) => tool(4, slow(200 + index, run)))
    const question = questionOf(`find thing ${word}`, [word, word, word, word])
    return () => {
      for (const one of tools) assert.equal(fillArguments(one, question).missing.length, 4)
    }
  })
})
