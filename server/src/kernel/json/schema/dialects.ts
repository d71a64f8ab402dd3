// The keywords of each dialect. Any other is somebody's annotation (`nullable`, `x-…`, `example`), which we keep but do
// not read. `format` and the content keywords say what a string means. Neither dialect lets them refuse a value by
// default, and the endpoint knows its own formats better.
import { arrayKeywords7, arrayKeywords2020 } from './array-keywords.ts'
import { combineKeywords, dynamicKeywords } from './combine-keywords.ts'
import { innerMap, innerOne } from './inner.ts'
import type { Dialect, Keyword } from './model.ts'
import { objectKeywords7, objectKeywords2020 } from './object-keywords.ts'
import { anchorShape, anyShape, booleanShape, listShape, schemaMapShape, schemaShape, stringShape } from './shapes.ts'
import { valueKeywords } from './value-keywords.ts'

const annotations: [string, Keyword][] = [
  ['title', { shape: stringShape }],
  ['description', { shape: stringShape }],
  ['default', { shape: anyShape }],
  ['examples', { shape: listShape }],
  ['readOnly', { shape: booleanShape }],
  ['writeOnly', { shape: booleanShape }],
  ['format', { shape: stringShape }],
  ['contentMediaType', { shape: stringShape }],
  ['contentEncoding', { shape: stringShape }],
  ['definitions', { shape: schemaMapShape, inner: innerMap }],
  ['$schema', { shape: stringShape }],
  ['$id', { shape: stringShape }],
  ['$comment', { shape: stringShape }],
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
    ['deprecated', { shape: booleanShape }],
    ['$defs', { shape: schemaMapShape, inner: innerMap }],
    ['$anchor', { shape: anchorShape }],
    ['$dynamicAnchor', { shape: anchorShape }],
    ['contentSchema', { shape: schemaShape, inner: innerOne }],
  ]),
}

const draft7: Dialect = {
  name: 'http://json-schema.org/draft-07/schema',
  refStandsAlone: true,
  keywords: new Map([...annotations, ...valueKeywords, ...arrayKeywords7, ...objectKeywords7, ...combineKeywords]),
}

/** The dialect that `$schema` names, 2020-12 without `$schema`, or undefined for one that we do not know. */
export function dialectOf($schema: string | undefined): Dialect | undefined {
  if ($schema === undefined) return draft2020
  const plain = $schema.replace(/^https:/, 'http:').replace(/#$/, '')
  return [draft2020, draft7].find(({ name }) => name.replace(/^https:/, 'http:') === plain)
}
