import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { assertTurnsTakeLess, longestShare } from '../../../../testkit/processor.ts'
import { costlySchemas } from '../fixtures/costly-schemas.ts'
import { isObject, type Json, parseJson } from '../index.ts'
import { prepareInTurns, prepareSchema, type Schema } from './index.ts'

const problemsOf = (text: string): string[] => {
  const result = prepareSchema(parseJson(text) as Schema)
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path} ${message}`)
}

test('each mistake is named with its place and what to write instead', () => {
  const mistakes: [schema: string, says: RegExp][] = [
    [
      '{"properties":{"n":{"type":"float"}}}',
      /^properties\.n\.type must be one of .*not "float" \(did you mean "number"\?\)$/,
    ],
    ['{"properties":{"n":{"type":"String"}}}', /did you mean "string"/],
    ['{"type":[]}', /at least one type/],
    ['{"required":true}', /^required must be a list of different names, not true$/],
    ['{"required":["a","a"]}', /different names/],
    ['{"properties":{"n":{"exclusiveMinimum":true}}}', /exclusiveMinimum must be a number, not true/],
    ['{"properties":{"n":{"minLength":-1}}}', /whole number from 0 up, not -1/],
    ['{"minLength":1.5}', /whole number/],
    ['{"multipleOf":0}', /above 0/],
    ['{"properties":["a"]}', /^properties must be an object whose members are schemas/],
    ['{"properties":{"a":"string"}}', /whose members are schemas/],
    ['{"items":[{}]}', /^items must be a schema/],
    ['{"anyOf":[]}', /non-empty list of schemas/],
    ['{"enum":"red"}', /must be a list, not "red"/],
    ['{"pattern":"(a"}', /^pattern \(the pattern \(a\) opens a group/],
    ['{"pattern":"(a)\\\\1"}', /back reference/],
    ['{"patternProperties":{"[":{}}}', /ends in the middle/],
    ['{"$ref":"https://example.com/a.json"}', /points outside the schema, and we do not fetch anything/],
    ['{"$ref":"file:///etc/passwd"}', /points outside/],
    ['{"$ref":"other.json#/$defs/a"}', /points outside/],
    ['{"$ref":"#/$defs/missing"}', /does not lead to a schema/],
    ['{"$ref":"#missing"}', /does not lead to a schema/],
    ['{"$ref":"#/title","title":"x"}', /does not lead to a schema/],
    ['{"$ref":"#/__proto__"}', /does not lead to a schema/],
    ['{"$ref":"#"}', /refers to itself/],
    ['{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}', /refers to itself/],
    ['{"$schema":"http://json-schema.org/draft-04/schema#"}', /not supported\. Use 2020-12/],
    ['{"properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema#"}}}', /different dialect/],
    ['{"$id":"https://a/#frag"}', /not a usable address/],
    ['{"$defs":{"a":{"$id":"https://a/b"},"b":{"$id":"https://a/b"}}}', /used twice/],
    ['{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}', /used twice/],
    ['{"$anchor":"1"}', /must be a name/],
    ['{"description":5}', /must be a string/],
    ['{"uniqueItems":"yes"}', /true or false/],
    ['{"dependentRequired":{"a":"b"}}', /lists of different names/],
  ]
  for (const [schema, says] of mistakes) {
    const problems = problemsOf(schema)
    assert.ok(
      problems.some((problem) => says.test(problem)),
      `${schema}: ${problems.join('; ')}`,
    )
  }
})

test('schemas that look odd and are fine', () => {
  for (const schema of [
    '{}',
    'true',
    '{"$schema":"https://json-schema.org/draft/2020-12/schema#"}',
    '{"$schema":"https://json-schema.org/draft-07/schema"}',
    '{"type":"object","nullable":true,"x-order":3,"example":{"a":1},"discriminator":{}}',
    '{"properties":{"child":{"$ref":"#"}}}',
    '{"items":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}',
    '{"$ref":"#/components/schemas/A","components":{"schemas":{"A":{"type":"object"}}}}',
    '{"enum":[]}',
    '{"enum":[{"$ref":"https://example.com"}]}',
    '{"minLength":2.0,"maxLength":1e3,"minimum":-12345678901234567890}',
    '{"$id":"https://example.com/s","$defs":{"a":{"$id":"a"}},"$ref":"a"}',
    '{"properties":{"__proto__":{"type":"string"},"$ref":{"type":"string"}}}',
    '{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":false}',
    '{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","definitions":{"a":{}},"minLength":"ignored beside $ref"}',
  ]) {
    assert.deepEqual(problemsOf(schema), [], schema)
  }
})

test('what would cost too much to run is refused before it runs', () => {
  assert.match(
    problemsOf(
      `{"properties":{${Array.from({ length: 40 }, (_, n) => `"p${n}":{"pattern":"^(?:ab){2000}${n}$"}`)}}}`,
    ).join(),
    /together too large/,
  )
  const chain = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${(n + 1) % 20_000}` }]),
  )
  assert.match(problemsOf(JSON.stringify({ $defs: chain })).join(), /refers to itself/)
})

test('no schema holds the process while it is looked at', () => {
  for (const [name, schema] of costlySchemas)
    assertTurnsTakeLess({ turn: 50, total: 300 }, () => prepareInTurns(schema), name)
})

test('a large schema is read in many turns', () => {
  for (const name of ['names under the longest address', 'references through the longest address']) {
    const [, schema] = costlySchemas.find(([one]) => one === name) ?? assert.fail(name)
    // A fast machine reads the whole schema within the time of one turn, so the share of the longest turn decides.
    const share = longestShare(() => prepareInTurns(schema))
    assert.ok(share < 1 / 2, `${name}: one turn took ${share} of the time`)
  }
})

test('an address is bounded as it is written and as it is resolved', () => {
  const address = (length: number) => 'https://shop.example/'.padEnd(length, 'x')
  assert.deepEqual(problemsOf(JSON.stringify({ $id: address(2_048) })), [])
  for (const keyword of ['$id', '$ref', '$dynamicRef']) {
    assert.match(problemsOf(JSON.stringify({ [keyword]: address(2_049) })).join(), /longer than 2048 characters/)
  }
  // Each part is short enough, and what they make together is not; nor is what percent signs make of Georgian.
  const inner = { $id: 'y'.repeat(1_000) }
  assert.match(problemsOf(JSON.stringify({ $id: `${address(1_500)}/`, items: inner })).join(), /not a usable address/)
  assert.match(problemsOf(JSON.stringify({ $id: `https://shop.example/${'ა'.repeat(500)}` })).join(), /not a usable/)
})

const twenty = new Ajv2020({ strict: false, logger: false, validateFormats: false })
const seven = new Ajv({ strict: false, logger: false, validateFormats: false })

/** Problems that no meta-schema can see. */
const beyondMeta =
  /points outside|does not lead to a schema|refers to itself|used twice|not a usable address|the pattern|not supported|different dialect|together too large/

test('agrees with the meta-schemas on any mutation of the official schemas', () => {
  const file = new URL('../fixtures/json-schema-test-suite.json.gz', import.meta.url)
  const suite = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'))
  let judged = 0
  for (const [draft, ajv] of [
    ['draft2020-12', twenty],
    ['draft7', seven],
  ] as const) {
    const schemas = Object.values<string>(suite[draft]).flatMap((text) =>
      JSON.parse(text).map((group: { schema: Json }) => group.schema),
    )
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(
        [],
        {},
        [{}],
        [{}, true],
        ['a'],
        ['a', 'a'],
        [1, 1],
        'integer',
        ['string'],
        1,
        2.5,
        -1,
        0,
        true,
        '',
        { a: {} },
        { a: ['b'] },
        { a: 1 },
      ),
    )
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.nat(), odd, (schema, where, replacement) => {
        // As JSON, or a generated `-0` or lone surrogate would be another value than what is checked.
        const mutated = JSON.parse(JSON.stringify(mutate(schema, where, replacement as Json)))
        if (!isObject(mutated) && typeof mutated !== 'boolean') return
        if (isObject(mutated) && '$schema' in mutated) delete mutated.$schema
        const typed =
          draft === 'draft7' && isObject(mutated)
            ? { $schema: 'http://json-schema.org/draft-07/schema#', ...mutated }
            : mutated
        // Draft 7's own meta-schema looks beside a $ref, which the draft says is ignored; its $id and $ref must be addresses.
        if (draft === 'draft7' && JSON.stringify(typed).includes('"$ref"')) return
        const ours = prepareSchema(typed)
        if (!ours.ok && ours.problems.some(({ message }) => beyondMeta.test(message))) return
        // Ajv's copy of draft 7 forbids empty and repeating enums; the published one does not.
        if (JSON.stringify(typed).includes('"enum"') && draft === 'draft7') return
        judged++
        assert.equal(
          ours.ok,
          ajv.validateSchema(typed),
          `${JSON.stringify(typed)}: ${JSON.stringify(ours.ok || ours.problems)} / ${JSON.stringify(ajv.errors)}`,
        )
      }),
      { numRuns: 3000 },
    )
  }
  assert.ok(judged > 2000, `only ${judged} were judged`)
})

/** Puts `replacement` at the nth place of the schema that a keyword may have. */
function mutate(schema: Json, where: number, replacement: Json): Json {
  const places = countPlaces(schema)
  return places === 0 ? schema : replaceAt(schema, where % places, replacement)
}

const countPlaces = (value: Json): number =>
  isObject(value) ? Object.values(value).reduce<number>((sum, inner) => sum + 1 + countPlaces(inner), 0) : 0

function replaceAt(value: Json, where: number, replacement: Json): Json {
  if (!isObject(value)) return value
  let left = where
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const here = left
      left -= 1 + countPlaces(inner)
      if (here === 0) return [name, replacement]
      return [name, here > 0 && left < 0 ? replaceAt(inner, here - 1, replacement) : inner]
    }),
  )
}

test('preparing never throws, whatever stands in the schema', () => {
  const keywords = fc.constantFrom(
    '$ref',
    '$id',
    '$anchor',
    '$dynamicRef',
    '$dynamicAnchor',
    'type',
    'properties',
    'items',
    'allOf',
    'not',
    '$defs',
    'pattern',
    'enum',
    'required',
    'if',
    'unevaluatedProperties',
    'dependentSchemas',
  )
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.boolean(),
      fc.constantFrom('#', '#/$defs/a', '#a', 'http://[', 'urn:x', ''),
      fc.jsonValue({ maxDepth: 1 }),
      fc.dictionary(keywords, tie('schema'), { maxKeys: 4 }),
      fc.array(tie('schema'), { maxLength: 2 }),
    ),
  }))
  fc.assert(
    fc.property(schema, (value) => {
      const plain = JSON.parse(JSON.stringify(value))
      if (isObject(plain) || typeof plain === 'boolean') assert.equal(typeof prepareSchema(plain).ok, 'boolean')
    }),
    { numRuns: 2000 },
  )
})
