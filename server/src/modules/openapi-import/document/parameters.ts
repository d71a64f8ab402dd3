import { isObject, type Json, type JsonObject, member } from '../../../kernel/json/index.ts'
import { type ArgumentPlace, isServiceHeader } from '../../../tools/catalog/index.ts'
import { examplesOf } from './examples.ts'
import type { Unnamed } from './inputs.ts'
import { isRequired, isTrue, listOf, type Reading, textOf } from './reading.ts'
import { isStyle, listStyle } from './styles.ts'

/** A parameter as the document has it, references followed: by place and name. */
export type Declared = ReadonlyMap<string, JsonObject>

/** Reads a list of parameters. A path item's is read once, and each of its operations overrides what it likes. */
export function declaredIn(reading: Reading, owner: JsonObject, over?: Declared): Declared {
  const own = listOf(owner, 'parameters')
  if (own.length === 0 && over !== undefined) return over
  const declared = new Map(over)
  for (const sent of own) {
    reading.step(1)
    const parameter = reading.follow(sent)
    if (parameter === undefined) continue
    const name = member(parameter, 'name')
    const place = member(parameter, 'in')
    if (typeof name !== 'string' || typeof place !== 'string') continue
    // Only a body of Swagger 2.0 may do without a name.
    if (name === '' && place !== 'body') continue
    declared.set(place === 'body' ? 'body' : `${place} ${place === 'header' ? name.toLowerCase() : name}`, parameter)
  }
  return declared
}

/** A name that is not a header's would refuse every call, so such a parameter is left out. */
const headerName = /^[\w!#$%&'*+.^`|~-]{1,128}$/

/** OpenAPI has them said elsewhere, so nobody misses them. */
const SAID_ELSEWHERE = new Set(['accept', 'authorization', 'content-type'])

/** Why a parameter is no input. Empty where nobody misses it. */
function reasonLeftOut({ dialect }: Reading, place: Json | undefined, name: string): string | undefined {
  if (place === 'path' || place === 'query' || place === 'cookie') return undefined
  if (place === 'header') {
    if (isServiceHeader(name))
      return SAID_ELSEWHERE.has(name.toLowerCase()) ? '' : 'the service writes this header itself'
    return headerName.test(name) ? undefined : 'no header can have this name'
  }
  // The body and the form of Swagger 2.0 are read with the body.
  return dialect === '2.0' ? '' : 'parameters have no such place in OpenAPI 3'
}

/** An input that the document has and a tool has not. */
export type Missing = { readonly name: string; readonly reason: string }

/** The inputs among the parameters. Bodies are read elsewhere. `known` keeps those of a path for each of its operations. */
export function parameterInputs(
  reading: Reading,
  declared: Declared,
  known: Map<JsonObject, Unnamed>,
): { inputs: Unnamed[]; missing: Missing[] } {
  const inputs: Unnamed[] = []
  const missing: Missing[] = []
  for (const parameter of declared.values()) {
    const place = member(parameter, 'in')
    const name = member(parameter, 'name')
    if (typeof name !== 'string') continue
    const reason = reasonLeftOut(reading, place, name)
    if (reason) missing.push({ name, reason })
    if (reason !== undefined || !isPlace(place)) continue
    reading.step(1)
    const input = known.get(parameter) ?? inputOf(reading, parameter, place, name)
    known.set(parameter, input)
    inputs.push(input)
  }
  return { inputs, missing }
}

const isPlace = (place: Json | undefined): place is Exclude<ArgumentPlace['in'], 'body'> =>
  place === 'path' || place === 'query' || place === 'header' || place === 'cookie'

function inputOf(reading: Reading, parameter: JsonObject, place: ArgumentPlace['in'], name: string): Unnamed {
  const [contentType, content] = contentOf(reading, parameter)
  const schema = content ?? (reading.dialect === '2.0' ? parameter : member(parameter, 'schema'))
  return {
    place: {
      in: place,
      name,
      ...(contentType === undefined ? styleOf(reading, parameter, place) : { contentType }),
    },
    // A path without one of its parts is another path, whatever the document says.
    required: place === 'path' || isRequired(parameter),
    description: textOf(parameter, 'description') || describedBy(reading, schema),
    schema,
    examples: examplesOf(reading, parameter),
  }
}

/** What a schema says of itself, where whoever uses it says nothing. */
export function describedBy(reading: Reading, schema: Json | undefined): string {
  if (!isObject(schema)) return ''
  return textOf(schema, 'description') || textOf(reading.follow(schema) ?? {}, 'description')
}

function contentOf(reading: Reading, parameter: JsonObject): [string, Json | undefined] | [] {
  const content = reading.dialect === '2.0' ? undefined : member(parameter, 'content')
  if (!isObject(content)) return []
  const [mediaType] = Object.keys(content)
  const media = mediaType === undefined ? undefined : reading.follow(member(content, mediaType))
  return mediaType === undefined || !/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(mediaType)
    ? []
    : [mediaType, media === undefined ? {} : (member(media, 'schema') ?? {})]
}

function styleOf(
  reading: Reading,
  parameter: JsonObject,
  place: ArgumentPlace['in'],
): Omit<ArgumentPlace, 'in' | 'name'> {
  if (reading.dialect === '2.0') return listStyle(parameter, place)
  const style = member(parameter, 'style')
  const explode = member(parameter, 'explode')
  return {
    ...(isStyle(place, style) && style !== usual(place) ? { style } : {}),
    ...(typeof explode === 'boolean' && explode !== explodes(isStyle(place, style) ? style : usual(place))
      ? { explode }
      : {}),
    ...(place === 'query' && isTrue(parameter, 'allowReserved') ? { allowReserved: true } : {}),
  }
}

const usual = (place: ArgumentPlace['in']): string => (place === 'path' || place === 'header' ? 'simple' : 'form')
const explodes = (style: string): boolean => style === 'form' || style === 'deepObject'
