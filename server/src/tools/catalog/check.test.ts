import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { type Json, type JsonObject, parseJson, stringifyJson } from '../../kernel/json/index.ts'
import { evaluateCheck, readArguments, writtenCheck } from './index.ts'
import { parseReadCheck } from './read-check.ts'

function outcome(check: string, result: string, args = '{}') {
  const parsed = parseReadCheck({ tool: 'get_order', check: parseJson(check) })
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return evaluateCheck(parsed.readCheck.check, parseJson(result), parseJson(args) as JsonObject)
}

const cases: [check: string, result: string, args: string, holds: boolean, reason: string][] = [
  ['{"path":"state","equals":"open"}', '{"state":"open"}', '{}', true, '`state` is "open", as expected.'],
  ['{"path":"state","equals":"open"}', '{"state":"shipped"}', '{}', false, '`state` is "shipped"; it must be "open".'],
  ['{"path":"state","equals":"open"}', '{}', '{}', false, 'The result has nothing at `state`.'],
  ['{"path":"state","equals":null}', '{"state":null}', '{}', true, '`state` is null, as expected.'],
  ['{"path":"state","equals":null}', '{}', '{}', false, 'The result has nothing at `state`.'],
  ['{"path":"paid","equals":true}', '{"paid":"true"}', '{}', false, '`paid` is "true"; it must be true.'],
  ['{"path":"n","equals":2}', '{"n":2.0}', '{}', true, '`n` is 2, as expected.'],
  [
    '{"path":"n","equals":9007199254740992}',
    '{"n":9007199254740993}',
    '{}',
    false,
    '`n` is 9007199254740993; it must be 9007199254740992.',
  ],
  [
    '{"path":"a","equals":{"x":1,"y":[1,2]}}',
    '{"a":{"y":[1.0,2],"x":1}}',
    '{}',
    true,
    '`a` is {"y":[1,2],"x":1}, as expected ({"x":1,"y":[1,2]}).',
  ],
  ['{"path":"a","equals":[1,2]}', '{"a":[2,1]}', '{}', false, '`a` is [2,1]; it must be [1,2].'],
  [
    '{"path":"lines.0.state","equals":"new"}',
    '{"lines":[{"state":"new"}]}',
    '{}',
    true,
    '`lines.0.state` is "new", as expected.',
  ],
  [
    '{"path":"lines.1.state","equals":"new"}',
    '{"lines":[{"state":"new"}]}',
    '{}',
    false,
    'The result has nothing at `lines.1.state`.',
  ],
  ['{"path":"lines.length","equals":1}', '{"lines":[1]}', '{}', false, 'The result has nothing at `lines.length`.'],
  ['{"path":"lines.-1","equals":1}', '{"lines":[1]}', '{}', false, 'The result has nothing at `lines.-1`.'],
  ['{"path":"lines.00","equals":1}', '{"lines":[1]}', '{}', false, 'The result has nothing at `lines.00`.'],
  ['{"path":"0","equals":1}', '[1]', '{}', true, '`0` is 1, as expected.'],
  ['{"path":"0","equals":1}', '{"0":1}', '{}', true, '`0` is 1, as expected.'],
  ['{"path":"constructor","equals":null}', '{}', '{}', false, 'The result has nothing at `constructor`.'],
  ['{"path":"name.0","equals":"a"}', '{"name":"abc"}', '{}', false, 'The result has nothing at `name.0`.'],
  [
    '{"path":"state","in":["open","paid"]}',
    '{"state":"paid"}',
    '{}',
    true,
    '`state` is "paid", as expected (one of "open", "paid").',
  ],
  [
    '{"path":"state","in":["open",null]}',
    '{"state":null}',
    '{}',
    true,
    '`state` is null, as expected (one of "open", null).',
  ],
  ['{"path":"state","in":["open"]}', '{"state":"Open"}', '{}', false, '`state` is "Open"; it must be one of "open".'],
  [
    '{"path":"id","from":"order_id"}',
    '{"id":"AB-1"}',
    '{"order_id":"AB-1"}',
    true,
    '`id` is "AB-1", as expected ("AB-1", the argument `order_id`).',
  ],
  [
    '{"path":"id","from":"order_id"}',
    '{"id":1}',
    '{"order_id":"1"}',
    false,
    '`id` is 1; it must be "1", the argument `order_id`.',
  ],
  [
    '{"path":"id","from":"order_id"}',
    '{"id":null}',
    '{}',
    false,
    '`id` must equal the argument `order_id`, which was not sent.',
  ],
  ['{"path":"n","gt":5}', '{"n":5}', '{}', false, '`n` is 5; it must be more than 5.'],
  ['{"path":"n","gte":5}', '{"n":5.0}', '{}', true, '`n` is 5, as expected (at least 5).'],
  ['{"path":"n","lt":5}', '{"n":4}', '{}', true, '`n` is 4, as expected (less than 5).'],
  [
    '{"path":"n","lte":9007199254740992}',
    '{"n":9007199254740993}',
    '{}',
    false,
    '`n` is 9007199254740993; it must be at most 9007199254740992.',
  ],
  ['{"path":"n","gt":0,"lt":5}', '{"n":7}', '{}', false, '`n` is 7; it must be less than 5.'],
  ['{"path":"n","gt":0}', '{"n":"7"}', '{}', false, '`n` is "7", which is not a number.'],
  ['{"path":"n","gt":0}', '{"n":true}', '{}', false, '`n` is true, which is not a number.'],
  [
    '{"path":"stock","gte":{"from":"quantity"}}',
    '{"stock":3}',
    '{"quantity":3}',
    true,
    '`stock` is 3, as expected (at least 3, the argument `quantity`).',
  ],
  [
    '{"path":"stock","gte":{"from":"quantity"}}',
    '{"stock":3}',
    '{"quantity":"3"}',
    false,
    '`stock` is compared with the argument `quantity`, which is "3", which is not a number.',
  ],
  [
    '{"path":"stock","gte":{"from":"quantity"}}',
    '{"stock":3}',
    '{}',
    false,
    '`stock` is compared with the argument `quantity`, which was not sent.',
  ],
]

test('a check holds or fails, and says why', () => {
  for (const [check, result, args, holds, reason] of cases)
    assert.deepEqual(outcome(check, result, args), { holds, reason }, `${check} on ${result}`)
})

test('a check is written as it was declared', () => {
  for (const [declared] of cases) {
    const parsed = parseReadCheck({ tool: 'get_order', check: parseJson(declared) })
    assert.ok(parsed.ok)
    assert.equal(stringifyJson(writtenCheck(parsed.readCheck.check)), stringifyJson(parseJson(declared)))
  }
})

test('the arguments of the read come from the write, exactly', () => {
  const parsed = parseReadCheck({
    tool: 'get_order',
    arguments: {
      id: { from: 'order_id' },
      deep: { value: { a: null } },
      none: { from: 'missing' },
      __proto__x: { value: 1 },
    },
    check: { path: 'a', equals: 1 },
  })
  assert.ok(parsed.ok)
  const args = parseJson('{"order_id":9007199254740993}') as JsonObject
  assert.equal(
    stringifyJson(readArguments(parsed.readCheck, args)),
    '{"id":9007199254740993,"deep":{"a":null},"__proto__x":1}',
  )
})

test('comparing two large values ends in bounded time', () => {
  const long = (last: Json): Json => [...Array(3_000).fill(0), last]
  const parsed = parseReadCheck({
    tool: 'get_order',
    check: { path: 'a', in: Array.from({ length: 3_000 }, (_, index) => long(index)) },
  })
  assert.ok(parsed.ok)
  const { check } = parsed.readCheck
  const judged = assertTakesLess(200, () => evaluateCheck(check, { a: long('x') }, {}))
  assert.deepEqual(judged, { holds: false, reason: '`a` is too large to compare: check a smaller part of the result.' })
})
