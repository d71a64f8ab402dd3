import assert from 'node:assert/strict'
import test from 'node:test'
import { atOnce, type Json, type JsonObject, parseJson, stringifyJson } from '../../../kernel/json/index.ts'
import { checkArguments } from '../../../tools/catalog/index.ts'
import { openReading } from '../document/reading.ts'
import { openParameterMaker } from './parameters.ts'

const of = (schema: Json, schemas: JsonObject = {}, most = 16_384) => {
  const reading = openReading({ openapi: '3.0.3', components: { schemas } }, '3.0')
  const argument = { argument: 'a', schema, required: false, description: '' }
  return atOnce(openParameterMaker(reading)([argument], most))
}
const converted = (schema: Json, schemas?: JsonObject): Json | undefined => {
  const { properties } = of(schema, schemas).schema
  return (properties as JsonObject).a
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const accepts = (parameters: JsonObject, a: Json): boolean => checkArguments({ parameters }, { a }).ok

test('what OpenAPI 3.0 and Swagger 2.0 say in their own way becomes JSON Schema', () => {
  const cases: readonly (readonly [Json, Json])[] = [
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'string', 'x-nullable': true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ enum: ['a'], nullable: true }, { enum: ['a', null] }],
    [{ nullable: true, allOf: [{ type: 'string' }] }, { anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] }],
    [{ nullable: true }, {}],
    [
      { type: 'integer', minimum: 0, exclusiveMinimum: true },
      { type: 'integer', exclusiveMinimum: 0 },
    ],
    [
      { type: 'integer', maximum: 9, exclusiveMaximum: false },
      { type: 'integer', maximum: 9 },
    ],
    [{ exclusiveMaximum: 9 }, { exclusiveMaximum: 9 }],
    [{ type: 'file' }, { type: 'string' }],
    [{ type: ['string', 'thing'] }, { type: ['string'] }],
    [
      { type: 'array', items: [{ type: 'string' }] },
      { type: 'array', prefixItems: [{ type: 'string' }] },
    ],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    [{ type: 'string', pattern: '\\A[a-z]\\Z' }, { type: 'string' }],
    [
      { type: 'string', pattern: '^[a-z]+$' },
      { type: 'string', pattern: '^[a-z]+$' },
    ],
    [{ minimum: '5', maxLength: -1, multipleOf: 0, enum: [], required: 'a' }, {}],
    [
      { type: 'string', title: 'T', example: 'x', xml: {}, 'x-own': 1, discriminator: {}, $id: 'i', $anchor: 'b' },
      { type: 'string' },
    ],
    [
      { type: 'integer', default: 20, format: 'int32' },
      { type: 'integer', format: 'int32', default: 20 },
    ],
    [true, true],
    ['nonsense', {}],
  ]
  for (const [schema, expected] of cases) assert.deepEqual(converted(schema), expected, JSON.stringify(schema))
})

test('members that only answers hold are gone with their "required", and a required written into a member is lifted', () => {
  const schema = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: ref('Id'), name: { type: 'string' }, old: { type: 'string', required: true } },
  }
  assert.deepEqual(converted(schema, { Id: { type: 'string', readOnly: true } }), {
    type: 'object',
    properties: { name: { type: 'string' }, old: { type: 'string' } },
    required: ['name', 'old'],
  })
})

test('references go in place, and into $defs where a schema contains itself; null beside one is kept', () => {
  const state = { State: { type: 'string', description: 'Open or paid.' } }
  assert.deepEqual(converted({ ...ref('State'), description: 'Of the order.', nullable: true }, state), {
    type: ['string', 'null'],
    description: 'Of the order.',
  })
  const tree = {
    Tree: { type: 'object', properties: { kids: { type: 'array', items: { ...ref('Tree'), nullable: true } } } },
  }
  const { schema, isTrimmed } = of(ref('Tree'), tree)
  assert.equal(isTrimmed, false)
  assert.deepEqual(schema.properties, { a: { $ref: '#/$defs/Tree' } })
  assert.ok(accepts(schema, { kids: [null, { kids: [] }] }))
  assert.ok(!accepts(schema, { kids: [5] }))
  for (const lost of ['#/components/schemas/None', 'https://attacker.example/a.json', '#/%E0%A4%A'])
    assert.deepEqual(converted({ $ref: lost }), {}, lost)
})

test('numbers stay as they were written', () => {
  const schema = parseJson(
    '{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807,"enum":[9007199254740993]}',
  )
  assert.match(
    stringifyJson(of(schema).schema),
    /"enum":\[9007199254740993\],"minimum":-9223372036854775808,"maximum":9223372036854775807/,
  )
})

/** Five levels of members, each with a long description. */
const deep = (level: number): JsonObject =>
  level === 0
    ? { type: 'string', description: 'leaf '.repeat(40) }
    : {
        type: 'object',
        description: `level ${level} `.repeat(40),
        required: ['one'],
        additionalProperties: false,
        properties: { one: deep(level - 1), two: deep(level - 1) },
      }

test('a schema is cut no further than it must be, and what is cut never refuses what the API would take', () => {
  const whole = of(deep(5))
  assert.ok(whole.isTrimmed)
  const sizes = [40_000, 16_000, 6_000, 3_000, 1_500, 420].map((most) => {
    const { schema, size } = of(deep(5), {}, most)
    const value = (level: number): Json => (level === 0 ? 'x' : { one: value(level - 1) })
    assert.ok(accepts(schema, value(5)), stringifyJson(schema))
    assert.ok(size <= most, `${size} of ${most}`)
    return size
  })
  assert.deepEqual(
    sizes,
    [...sizes].sort((one, other) => other - one),
  )
  const { a } = of(deep(5), {}, 420).schema.properties as { a: { required: Json; properties: { one: JsonObject } } }
  // The names of the first level are there, so they can be asked for; those below are words alone.
  assert.deepEqual(a.required, ['one'])
  assert.deepEqual(Object.keys(a.properties.one), ['type', 'description'])
  assert.match(String(a.properties.one.description), /Members: one, two\./)
})
