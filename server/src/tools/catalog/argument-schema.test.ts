import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPreparedTakesLess, uncachedPattern } from '../../../testkit/processor.ts'
import { isObject, type JsonObject, parseJson } from '../../kernel/json/index.ts'
import { checkArguments } from './index.ts'

const parameters = parseJson(`{
  "type": "object",
  "properties": {
    "order_id": {"type": "string", "pattern": "^[A-Z]{2}-\\\\d+$"},
    "quantity": {"type": "integer", "minimum": 1},
    "reference": {"type": "integer"},
    "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}}
  },
  "required": ["order_id"],
  "additionalProperties": false
}`) as JsonObject

const message = (text: string): string | undefined => {
  const checked = checkArguments({ parameters }, parseJson(text))
  return checked.ok ? undefined : checked.message
}

test('arguments that fit', () => {
  assert.equal(
    message('{"order_id":"AB-1","quantity":2.0,"reference":9007199254740993,"lines":[{"sku":"x","more":1}]}'),
    undefined,
  )
  assert.equal(message('{"order_id":"AB-1"}'), undefined)
})

test('messages that a model can act on', () => {
  assert.equal(message('{"order_id":"AB-1","quantity":"two"}'), '`quantity` must be an integer; you sent "two".')
  assert.equal(message('{"quantity":0}'), '`quantity` must be at least 1; you sent 0. `order_id` is required.')
  assert.equal(message('{"order_id":"1"}'), '`order_id` must match the pattern ^[A-Z]{2}-\\d+$; you sent "1".')
  assert.equal(message('{"order_id":"AB-1","lines":[{"sku":"a"},{}]}'), '`lines.1.sku` is required.')
  assert.equal(
    message('{"order_id":"AB-1","tenant_id":4}'),
    '`tenant_id` is not known; known here: `order_id`, `quantity`, `reference`, `lines`.',
  )
  assert.equal(
    message('{"order_id":"AB-1","reference":9007199254740993.5}'),
    '`reference` must be an integer; you sent 9007199254740993.5.',
  )
  assert.equal(
    message('[]'),
    'The arguments must be an object with a member for each argument; you sent an empty list.',
  )
  assert.equal(
    message('"{\\"order_id\\":\\"AB-1\\"}"'),
    'The arguments must be an object with a member for each argument; you sent "{\\"order_id\\":\\"AB-1\\"}".',
  )
})

test('nothing is filled in: defaults are not applied, and the arguments are not touched', () => {
  const withDefault = { type: 'object', properties: { a: { default: 5 } } }
  const given = {}
  assert.ok(checkArguments({ parameters: withDefault }, given).ok)
  assert.deepEqual(given, {})
})

test('a schema that is not valid refuses the call instead of letting it through', () => {
  const checked = checkArguments(
    { parameters: { type: 'object', properties: { a: { $ref: 'https://example.com' } } } },
    {},
  )
  assert.ok(!checked.ok)
  assert.match(checked.message, /register the catalog again/)
})

test('arguments that are themselves an attack are refused in bounded time', () => {
  const long = assertPreparedTakesLess(200, (run) => {
    const pattern = uncachedPattern('^(([a-z])+.)+[A-Z]([a-z])+$', run)
    const evil = { type: 'object', properties: { text: { type: 'string', pattern } } }
    return () => checkArguments({ parameters: evil }, { text: 'a'.repeat(1_000_000) })
  })
  assert.ok(!long.ok)
  assert.match(long.message, /^The arguments would take too long to check/)
  const polluted = parseJson('{"__proto__":{"admin":true}}')
  assert.ok(isObject(polluted))
  assert.ok(!checkArguments({ parameters }, { ...polluted, order_id: 'AB-1', more: 1 }).ok)
  assert.ok(!checkArguments({ parameters }, parseJson('{"order_id":"AB-1","__proto__":{}}')).ok)
})
