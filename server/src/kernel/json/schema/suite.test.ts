import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { isObject, type Json, type JsonObject, parseJson } from '../index.ts'
import { fitsSchema, prepareSchema } from './index.ts'

// The official suite, whole: each draft is an object from file name to the file's text. Its source and licence stand inside.
const file = new URL('../fixtures/json-schema-test-suite.json.gz', import.meta.url)
const suite: Record<string, Record<string, string>> = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'))

type Group = {
  file: string
  description: string
  schema: Json
  tests: { description: string; data: Json; valid: boolean }[]
}

function groupsOf(draft: string): Group[] {
  return Object.entries(suite[draft] ?? {}).flatMap(([file, text]) => {
    const groups = parseJson(text)
    assert.ok(Array.isArray(groups))
    // The suite's own schema says that every group has these members.
    return (groups as JsonObject[]).map((group) => ({ ...group, file }) as unknown as Group)
  })
}

const inDraft7 = (schema: Json): Json =>
  isObject(schema) ? { $schema: 'http://json-schema.org/draft-07/schema#', ...schema } : schema

/** Groups that need a document from elsewhere: refused, never fetched. Everything else must be right. */
const outside = {
  'draft2020-12': ['defs.json', 'dynamicRef.json', 'ref.json', 'refRemote.json', 'vocabulary.json'],
  draft7: ['definitions.json', 'ref.json', 'refRemote.json'],
}

for (const [draft, files, ran, refused] of [
  ['draft2020-12', outside['draft2020-12'], 1246, 53],
  ['draft7', outside.draft7, 900, 27],
] as const) {
  test(`${draft}: every required test that needs no document from elsewhere`, () => {
    const counts = { ran: 0, refused: 0 }
    for (const group of groupsOf(draft)) {
      const schema = draft === 'draft7' ? inDraft7(group.schema) : group.schema
      const prepared = prepareSchema(schema as JsonObject | boolean)
      if (!prepared.ok) {
        assert.ok((files as readonly string[]).includes(group.file), `${group.file}: ${group.description}`)
        for (const { message } of prepared.problems) assert.match(message, /points outside the schema|not supported/)
        counts.refused += group.tests.length
        continue
      }
      for (const { description, data, valid } of group.tests) {
        const result = fitsSchema(prepared.prepared, data)
        assert.equal(result.ok, valid, `${group.file}: ${group.description}: ${description}`)
        assert.ok(result.ok || result.problems.length > 0, 'a refusal says why')
        counts.ran++
      }
    }
    assert.deepEqual(counts, { ran, refused })
  })
}
