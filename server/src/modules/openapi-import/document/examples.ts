import { isObject, type Json, type JsonObject, measureJson, member } from '../../../kernel/json/index.ts'
import { objectOf, type Reading } from './reading.ts'

const mostExamples = 3
const longestExample = 500

/** The examples that a parameter, or a media type, gives beside its schema, and those of the schema itself. */
export function examplesOf(reading: Reading, owner: JsonObject): Json[] {
  const found: Json[] = []
  const own = member(owner, 'example')
  if (own !== undefined) found.push(own)
  const several = objectOf(owner, 'examples')
  for (const name of Object.keys(several).slice(0, mostExamples)) {
    const value = member(reading.follow(member(several, name)) ?? {}, 'value')
    if (value !== undefined) found.push(value)
  }
  const schema = member(owner, 'schema')
  return short([...found, ...(isObject(schema) ? schemaExamples(schema) : [])])
}

/** Those that a schema gives: `example` of 2.0 and 3.0, `examples` of 3.1. */
export function schemaExamples(schema: JsonObject): Json[] {
  const [one, several] = [member(schema, 'example'), member(schema, 'examples')]
  return short([...(one === undefined ? [] : [one]), ...(Array.isArray(several) ? several.slice(0, mostExamples) : [])])
}

/** An example that fills a page documents nothing. */
const short = (values: readonly Json[]): Json[] =>
  distinct(values.filter((value) => measureJson(value, { maxDepth: 8, maxSize: longestExample }).ok))

/** The first few that differ. */
export function distinct(values: readonly Json[]): Json[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]))
  return [...byText.values()].slice(0, mostExamples)
}
