import { CORE_SCHEMA, defineScalarTag, floatCoreTag, intCoreTag, load, NOT_RESOLVED, YAMLException } from 'js-yaml'
import { cut, type Json, JsonFault, parseJson } from '../../../foundation/json/index.ts'
import { mostYamlMarks } from '../limits.ts'
import { DocumentRefused } from './reading.ts'

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The library's own rule, but a number that a double would change is kept as written, and what JSON lacks stays text. */
const exactly = (tag: typeof intCoreTag) =>
  defineScalarTag<unknown>(tag.tagName, {
    ...tag,
    resolve(source, isExplicit, tagName) {
      const value = tag.resolve(source, isExplicit, tagName)
      if (value === NOT_RESOLVED || !Number.isFinite(value)) return NOT_RESOLVED
      return jsonNumber.test(source) ? parseJson(source) : value
    },
  })

const schema = CORE_SCHEMA.withTags(exactly(intCoreTag), exactly(floatCoreTag))

/** An alias is refused, because a few hundred bytes of them stand for gigabytes. */
export function readYaml(text: string): Json {
  if (!hasAtMost(mostYamlMarks, text))
    throw new DocumentRefused(
      `The YAML of document has more than ${mostYamlMarks} lines and values, which would hold up others while it is read. Convert it to JSON and send that.`,
    )
  try {
    // The cast is true because the schema makes nothing but JSON's own values.
    return load(text, { schema, maxAliases: 0, maxDepth: 100 }) as Json
  } catch (error) {
    if (error instanceof YAMLException || error instanceof JsonFault)
      throw new DocumentRefused(
        `The YAML of document cannot be read: ${cut(error.message, 300)}. Correct it, or send JSON.`,
      )
    throw error
  }
}

/** What a parser pays for is where something begins: a line, an item of a list in brackets, the bracket itself. */
function hasAtMost(most: number, text: string): boolean {
  let marks = 0
  for (const _ of text.matchAll(/[\r\n,[{]/g)) if (++marks > most) return false
  return true
}
