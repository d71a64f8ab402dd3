import {
  CORE_SCHEMA,
  defineScalarTag,
  floatCoreTag,
  intCoreTag,
  load,
  mergeTag,
  NOT_RESOLVED,
  YAMLException,
} from 'js-yaml'
import { cut, type Json, JsonFault, parseJson, stringifyJson } from '../../../kernel/json/index.ts'
import { mostYamlAliases, mostYamlValues } from '../limits.ts'

export type YamlRead = { readonly json: string } | { readonly fault: string }

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

// A merge (`<<: *common`) is of YAML 1.1, and people write it all the same.
const schema = CORE_SCHEMA.withTags(exactly(intCoreTag), exactly(floatCoreTag), mergeTag)

/** YAML as the text of the JSON that it stands for. */
export function jsonOfYaml(text: string): YamlRead {
  try {
    const value = loaded(text)
    const fault = faultOf(value)
    return fault === undefined ? { json: stringifyJson(value) } : { fault }
  } catch (error) {
    if (error instanceof YAMLException || error instanceof JsonFault) return { fault: cut(error.message, 300) }
    throw error
  }
}

function loaded(text: string): Json {
  try {
    return parsed(text)
  } catch (error) {
    const isBracket = error instanceof YAMLException && error.reason === 'deficient indentation'
    if (!isBracket) throw error
    return parsed(closingIndented(text))
  }
}

// The cast is true because the schema makes nothing but JSON's own values.
const parsed = (text: string): Json => load(text, { schema, maxAliases: mostYamlAliases, maxDepth: 100 }) as Json

/**
 * People close a bracket below the word that opened it, and other parsers take that; the letter of YAML asks for one
 * more space. Before a closing bracket any number of spaces means the same, unless the line is one of a block of text.
 */
function closingIndented(text: string): string {
  let block = -1
  return text
    .split('\n')
    .map((line) => {
      const words = line.trimStart()
      const indent = line.length - words.length
      if (block >= 0 && (words === '' || indent > block)) return line
      block = /(?:^|[\s:-])[|>][-+\d]{0,2}\s*(?:#[^\n]*)?$/.test(line) ? indent : -1
      return /^[\]}]/.test(words) ? `${' '.repeat(mostIndent)}${words}` : line
    })
    .join('\n')
}

const mostIndent = 100

type Size = { readonly values: number; readonly depth: number }
const ENDLESS: Size = { values: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY }

/** A few hundred bytes of aliases stand for gigabytes, so what they stand for is counted before it is written out. */
function faultOf(root: Json): string | undefined {
  // What is still open holds itself.
  const known = new Map<object, Size>()
  const sizeOf = (value: unknown): Size => {
    if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 }
    const before = known.get(value)
    if (before !== undefined) return before
    known.set(value, ENDLESS)
    let values = 1
    let depth = 0
    for (const member of Object.values(value)) {
      const size = sizeOf(member)
      values += size.values
      depth = Math.max(depth, size.depth)
    }
    const size = { values, depth: depth + 1 }
    known.set(value, size)
    return size
  }
  const { values, depth } = sizeOf(root)
  if (values > mostYamlValues) return `its aliases stand for more than ${mostYamlValues} values, or for themselves`
  return depth > deepest ? `its aliases nest deeper than ${deepest} levels` : undefined
}

/** What JSON may have. */
const deepest = 128
