import assert from 'node:assert/strict'
import test from 'node:test'
import { compare } from './compare.ts'

const tool = (properties: string) => [
  JSON.parse(`{"name":"find","parameters":{"properties":${properties}}}`) as unknown,
]

test('an argument that is named like a member of every object is compared like any other', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const [change] = compare(tool('{}'), tool(`{"${name}":{"type":"string"}}`))
    assert.ok(change?.change === 'changed', name)
    assert.deepEqual(change.members, [
      { member: `parameters.properties.${name}`, before: undefined, after: { type: 'string' } },
    ])
  }
})
