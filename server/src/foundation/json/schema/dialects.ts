// Which keywords each dialect has. What is not listed is an annotation of somebody's (`nullable`, `x-…`, `example`):
// kept, not read. `format` and the content keywords say what a string means; neither dialect lets them refuse a value
// by default, and the endpoint knows its own formats better.
import { arrayKeywords7, arrayKeywords2020 } from './array-keywords.ts'
import { combineKeywords, dynamicKeywords } from './combine-keywords.ts'
import { innerMap, innerOne } from './inner.ts'
import type { Dialect, Keyword } from './model.ts'
import { objectKeywords7, objectKeywords2020 } from './object-keywords.ts'
import { anchor, anything, flag, list, schema, schemaMap, text } from './shapes.ts'
import { valueKeywords } from './value-keywords.ts'

const annotations: [string, Keyword][] = [
  ['title', { shape: text }],
  ['description', { shape: text }],
  ['default', { shape: anything }],
  ['examples', { shape: list }],
  ['readOnly', { shape: flag }],
  ['writeOnly', { shape: flag }],
  ['format', { shape: text }],
  ['contentMediaType', { shape: text }],
  ['contentEncoding', { shape: text }],
  ['definitions', { shape: schemaMap, inner: innerMap }],
  ['$schema', { shape: text }],
  ['$id', { shape: text }],
  ['$comment', { shape: text }],
]

const draft2020: Dialect = {
  name: 'https://json-schema.org/draft/2020-12/schema',
  refStandsAlone: false,
  keywords: new Map([
    ...annotations,
    ...valueKeywords,
    ...arrayKeywords2020,
    ...objectKeywords2020,
    ...combineKeywords,
    ...dynamicKeywords,
    ['deprecated', { shape: flag }],
    ['$defs', { shape: schemaMap, inner: innerMap }],
    ['$anchor', { shape: anchor }],
    ['$dynamicAnchor', { shape: anchor }],
    ['contentSchema', { shape: schema, inner: innerOne }],
  ]),
}

const draft7: Dialect = {
  name: 'http://json-schema.org/draft-07/schema',
  refStandsAlone: true,
  keywords: new Map([...annotations, ...valueKeywords, ...arrayKeywords7, ...objectKeywords7, ...combineKeywords]),
}

/** The dialect that `$schema` names; 2020-12 when it names none; undefined when we do not know it. */
export function dialectOf($schema: string | undefined): Dialect | undefined {
  if ($schema === undefined) return draft2020
  const plain = $schema.replace(/^https:/, 'http:').replace(/#$/, '')
  return [draft2020, draft7].find(({ name }) => name.replace(/^https:/, 'http:') === plain)
}
