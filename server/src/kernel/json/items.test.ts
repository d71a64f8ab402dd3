import assert from 'node:assert/strict'
import test from 'node:test'
import { itemsOf } from './items.ts'
import { atOnce } from './turns.ts'

test('each item of an array is found as it is written, whatever signs stand in its texts', () => {
  const items = ['{"a":"],[{\\"}","b":[1,2,{"c":[]}]}', '1.10', '"x,\\\\"', 'null', '[]', '[[1],[2]]', '{}']
  assert.deepEqual(atOnce(itemsOf(`[${items.join(',')}]`)), items)
  assert.deepEqual(atOnce(itemsOf('[]')), [])
  assert.deepEqual(atOnce(itemsOf('[{"a":1}]')), ['{"a":1}'])
})

test('others have their turn while a long array is looked through', () => {
  const work = itemsOf(`[${Array.from({ length: 60_000 }, (_, at) => `{"name":"tool_${at}"}`).join(',')}]`)
  let turns = 0
  while (!work.next().done) turns++
  assert.ok(turns >= 8, `${turns} turns`)
})
