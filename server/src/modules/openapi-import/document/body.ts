import { isObject, type Json, type JsonObject, member } from '../../../kernel/json/index.ts'
import type { ArgumentPlace, Method } from '../../../tools/catalog/index.ts'
import { distinct, examplesOf, schemaExamples } from './examples.ts'
import type { Unnamed } from './inputs.ts'
import { type MemberReader, type Members, plainMembers } from './members.ts'
import { type Declared, describedBy } from './parameters.ts'
import { isRequired, isTrue, listOf, objectOf, type Reading, textOf } from './reading.ts'
import { isStyle, listStyle } from './styles.ts'

export type Body = {
  readonly kind: 'json' | 'form' | null
  /** Where the usual one of its kind would not do. */
  readonly mediaType?: string
  readonly inputs: readonly Unnamed[]
  /** Why there is no body although the document has one. */
  readonly leftOut?: string
  /** The files of a form that can be sent without them. */
  readonly files?: readonly string[]
}

export const NO_BODY: Body = { kind: null, inputs: [] }
const leftOut = (why: string): Body => ({ ...NO_BODY, leftOut: why })

/** What the body of an operation takes. `declared` holds the body and the form of Swagger 2.0, which are parameters there. */
export function bodyOf(
  reading: Reading,
  { method, operation }: { readonly method: Method; readonly operation: JsonObject },
  declared: Declared,
  members: MemberReader,
): Body {
  if (method === 'GET' || method === 'HEAD')
    return hasBody(operation, declared) ? leftOut(`a ${method} is sent without one`) : NO_BODY
  return reading.dialect === '2.0'
    ? bodyOf2(reading, operation, declared, members)
    : bodyOf3(reading, operation, members)
}

const hasBody = (operation: JsonObject, declared: Declared): boolean =>
  member(operation, 'requestBody') !== undefined || [...declared.keys()].some((key) => /^(?:body$|formData )/.test(key))

type Media = { readonly type: string; readonly essence: string }

/** JSON before what is JSON inside, a form after both; `*` stands for JSON. A text is the last choice. */
function preferred(types: readonly string[]): Media | undefined {
  const all = types.slice(0, 50).map((type) => ({ type, essence: type.split(';', 1)[0]?.trim().toLowerCase() ?? '' }))
  const ranks: readonly ((essence: string) => boolean)[] = [
    (essence) => essence === 'application/json',
    (essence) => essence.endsWith('+json') || essence === 'text/json',
    (essence) => essence === 'application/x-www-form-urlencoded',
    (essence) => essence === MULTIPART,
    (essence) => essence === '*/*' || essence === 'application/*',
    (essence) => essence === 'text/plain',
    (essence) => essence.startsWith('text/'),
  ]
  for (const fits of ranks) {
    const found = all.find(({ essence }) => fits(essence))
    if (found !== undefined) return found
  }
  return undefined
}

const MULTIPART = 'multipart/form-data'
const isForm = ({ essence }: Media): boolean => essence === 'application/x-www-form-urlencoded' || essence === MULTIPART
/** A model writes it whole, and it is sent as it was approved. */
const isText = ({ essence }: Media): boolean => essence.startsWith('text/') && essence !== 'text/json'
const ordinary = new Set(['application/json', 'application/x-www-form-urlencoded', '*/*', 'application/*'])
const mediaTypeOf = ({ essence }: Media) => (ordinary.has(essence) ? {} : { mediaType: essence.slice(0, 200) })

const onlyOther = (types: readonly string[]): string =>
  `the body is sent as ${types.slice(0, 3).join(', ').slice(0, 200)}, and only JSON, forms and texts can be sent`

function bodyOf3(reading: Reading, operation: JsonObject, members: MemberReader): Body {
  const sent = member(operation, 'requestBody')
  if (sent === undefined) return NO_BODY
  const body = reading.follow(sent)
  if (body === undefined) return leftOut('its reference leads nowhere in the document')
  const content = objectOf(body, 'content')
  const types = Object.keys(content)
  if (types.length === 0) return NO_BODY
  const media = preferred(types)
  if (media === undefined) return leftOut(onlyOther(types))
  const holder = reading.follow(member(content, media.type)) ?? {}
  const schema = member(holder, 'schema')
  // Left unsaid, a body with required members is taken to be required: many documents forget to say so.
  const isOptional = member(body, 'required') === false
  const from = { schema, isOptional, description: textOf(body, 'description'), examples: examplesOf(reading, holder) }
  if (isForm(media)) return formOf(reading, media, from, objectOf(holder, 'encoding'), members)
  const whole = { ...from, isRequired: isRequired(body) }
  return isText(media) ? textBody(reading, media, whole) : jsonBody(reading, media, whole, members)
}

type From = {
  readonly schema: Json | undefined
  readonly isOptional: boolean
  readonly description: string
  readonly examples: readonly Json[]
}

type Whole = From & { readonly isRequired: boolean }

function jsonBody(reading: Reading, media: Media, from: Whole, members: MemberReader): Body {
  const plain = plainMembers(reading, from.schema, members)
  if (plain !== undefined) {
    const inputs = memberInputs(reading, plain, from, () => ({}))
    return { kind: 'json', ...mediaTypeOf(media), inputs }
  }
  return { kind: 'json', ...mediaTypeOf(media), inputs: [wholeBody(reading, from, from.schema ?? {})] }
}

function wholeBody(reading: Reading, from: Whole, schema: Json): Unnamed {
  reading.step(1)
  return {
    place: { in: 'body', name: 'body', whole: true },
    required: from.isRequired,
    description: from.description || describedBy(reading, from.schema),
    schema,
    examples: from.examples,
  }
}

/** One text, whatever the document says is in it: it is sent as it stands, in UTF-8. */
function textBody(reading: Reading, { essence }: Media, from: Whole): Body {
  const isString = member(reading.follow(from.schema) ?? {}, 'type') === 'string'
  const input = wholeBody(reading, from, isString ? (from.schema ?? {}) : { type: 'string' })
  const examples = input.examples.filter((example) => typeof example === 'string')
  return { kind: 'json', mediaType: `${essence.slice(0, 100)}; charset=utf-8`, inputs: [{ ...input, examples }] }
}

function memberInputs(
  reading: Reading,
  plain: Members,
  { isOptional, examples }: Pick<From, 'isOptional' | 'examples'>,
  written: (name: string, schema: Json) => Omit<ArgumentPlace, 'in' | 'name'>,
): Unnamed[] {
  return plain.map(({ name, schema, required }) => {
    reading.step(1)
    const given = examples.flatMap((example) => (isObject(example) ? [member(example, name)] : []))
    const own = isObject(schema) ? schemaExamples(schema) : []
    return {
      place: { in: 'body', name, ...written(name, schema) },
      required: required && !isOptional,
      description: describedBy(reading, schema),
      schema,
      examples: distinct([...given.filter((value) => value !== undefined), ...own]),
    }
  })
}

function formOf(reading: Reading, media: Media, from: From, encoding: JsonObject, members: MemberReader): Body {
  const plain = plainMembers(reading, from.schema, members)
  if (plain === undefined) return leftOut('its form has no members of its own')
  const isRequiredFile = ({ required, schema }: Members[number]) => required && isFile(reading, schema)
  if (plain.some(isRequiredFile)) return leftOut(NEEDS_FILE)
  const [files, texts] = parted(plain, ({ schema }) => isFile(reading, schema))
  const inputs = memberInputs(reading, texts, from, (name) => encodedAs(objectOf(encoding, name)))
  return { kind: 'form', ...mediaTypeOf(media), inputs, files: files.map(({ name }) => name) }
}

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  const [first, others]: [T[], T[]] = [[], []]
  for (const one of all) (isFirst(one) ? first : others).push(one)
  return [first, others]
}

const NEEDS_FILE = 'its form needs a file, and files cannot be sent'

function isFile(reading: Reading, schema: Json): boolean {
  const found = reading.follow(schema) ?? {}
  const own = member(found, 'type') === 'array' ? (reading.follow(member(found, 'items')) ?? {}) : found
  return member(own, 'format') === 'binary' || member(own, 'type') === 'file' || 'contentMediaType' in own
}

function encodedAs(encoding: JsonObject): Omit<ArgumentPlace, 'in' | 'name'> {
  const [style, explode, contentType] = ['style', 'explode', 'contentType'].map((name) => member(encoding, name))
  return {
    ...(isStyle('body', style) ? { style } : {}),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...(isTrue(encoding, 'allowReserved') ? { allowReserved: true } : {}),
    ...(style === undefined && typeof contentType === 'string' && /^application\/(?:[\w.-]+\+)?json$/.test(contentType)
      ? { contentType }
      : {}),
  }
}

function bodyOf2(reading: Reading, operation: JsonObject, declared: Declared, members: MemberReader): Body {
  const own = listOf(operation, 'consumes')
  const consumes = (own.length > 0 ? own : listOf(reading.root, 'consumes')).filter((type) => typeof type === 'string')
  const fields: JsonObject[] = []
  for (const [key, parameter] of declared) if (key.startsWith('formData ')) fields.push(parameter)
  if (fields.length > 0) return formOf2(reading, fields, consumes)
  const parameter = declared.get('body')
  if (parameter === undefined) return NO_BODY
  // Without a word about it, a body of 2.0 is JSON.
  const media = consumes.length === 0 ? preferred(['application/json']) : preferred(consumes)
  if (media === undefined || isForm(media)) return leftOut(onlyOther(consumes))
  const from = {
    schema: member(parameter, 'schema'),
    isOptional: member(parameter, 'required') === false,
    isRequired: isRequired(parameter),
    description: textOf(parameter, 'description'),
    examples: examplesOf(reading, parameter),
  }
  return isText(media) ? textBody(reading, media, from) : jsonBody(reading, media, from, members)
}

function formOf2(reading: Reading, fields: readonly JsonObject[], consumes: readonly string[]): Body {
  // What is not said is the form that can hold what there is; JSON beside formData is a slip of its author.
  const media =
    preferred(consumes.filter((type) => !/json/i.test(type))) ?? preferred(['application/x-www-form-urlencoded'])
  const isForms = consumes.length === 0 || consumes.some((type) => /json|form/i.test(type))
  if (media === undefined || !isForms) return leftOut(onlyOther(consumes))
  const file = fields.find((field) => isTrue(field, 'required') && isFile(reading, field))
  if (file !== undefined) return leftOut(NEEDS_FILE)
  const [files, texts] = parted(fields, (field) => isFile(reading, field))
  const inputs = texts.map((field): Unnamed => {
    reading.step(1)
    return {
      place: { in: 'body', name: textOf(field, 'name'), ...listStyle(field, 'body') },
      required: isRequired(field),
      description: textOf(field, 'description'),
      schema: field,
      examples: examplesOf(reading, field),
    }
  })
  return { kind: 'form', ...mediaTypeOf(media), inputs, files: files.map((field) => textOf(field, 'name')) }
}
