import { KNOWLEDGE_FORMATS, type KnowledgeFormat, type RepositorySource } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import { isObject, type Json, member } from '../../kernel/json/index.ts'
import { charsIn } from '../../kernel/search/index.ts'
import { isStorable, normalized } from '../../kernel/text/index.ts'
import { readSource } from '../../tenancy/access/index.ts'

export type DocumentInput = {
  readonly name: string
  readonly format: KnowledgeFormat
  readonly text: string
  readonly chars: number
  readonly replace: boolean
  readonly source: RepositorySource | null
}

/** Reads a document as it was sent, and refuses in the order in which the members are named. */
export function readDocument(body: unknown, most: number): DocumentInput {
  if (!isObject(body)) throw refuse('invalid_request', 'Send a JSON object with `name` and `text`.')
  const sent = (name: string): Json => member(body, name) ?? null
  const name = readName(sent('name'))
  const format = readFormat(sent('format'))
  const source = readSource(sent('source'))
  if ('fault' in source) throw refuse('invalid_source', source.fault)
  const text = readText(sent('text'))
  const chars = charsIn(text)
  if (chars > most) {
    throw refuse(
      'knowledge_too_large',
      `The document has ${chars} characters, and ${most} is the most. Divide it, by topic if possible.`,
    )
  }
  return { name, format, text, chars, replace: readReplace(sent('replace')), source: source.source }
}

function readName(value: Json): string {
  const name = typeof value === 'string' ? nameOf(value) : undefined
  if (name !== undefined) return name
  throw refuse(
    'invalid_knowledge_name',
    'A name has 1 to 80 letters, digits, `-`, `_` and `.`, and is not made of dots alone. Send one such as `returns-policy.md`.',
  )
}

function readFormat(value: Json): KnowledgeFormat {
  const format = KNOWLEDGE_FORMATS.find((one) => one === (value ?? 'text'))
  if (format !== undefined) return format
  throw refuse(
    'invalid_knowledge_format',
    '`format` is `text` or `markdown`. Send one of them, or leave it out for `text`.',
  )
}

function readText(value: Json): string {
  if (value !== null && typeof value !== 'string') throw refuse('invalid_request', '`text` must be a text.')
  if (value === null || value.trim() === '')
    throw refuse('knowledge_empty', 'The document has no text. Send some in `text`.')
  if (!isStorable(value))
    throw refuse('invalid_request', '`text` contains NUL or half of a surrogate pair. Remove the character.')
  return value
}

function readReplace(value: Json): boolean {
  if (value === null || typeof value === 'boolean') return value === true
  throw refuse('invalid_request', '`replace` must be true or false.')
}

const LONGEST = 80
// Some scripts write vowels as marks on a letter.
const NAME = /^(?:\p{L}\p{M}*|[\p{Nd}\-_.])+$/u

/** A document's name as it is stored and compared, or undefined if it is none. */
export function nameOf(written: string): string | undefined {
  // Nothing that is much longer can become short enough.
  if (written.length > LONGEST * 8) return undefined
  const name = normalized(written, 'NFC')
  return NAME.test(name) && !/^\.+$/.test(name) && Array.from(name).length <= LONGEST ? name : undefined
}
