import { isObject, type Json, stringifyJson } from '../../../kernel/json/index.ts'
import type { ArgumentPlace, Style } from '../../catalog/index.ts'

/** As RFC 6570 writes a value: everything but letters, digits and `-._~` is encoded. */
export const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )

// OpenAPI 3.1.1 leaves it to the application to encode the brackets, and what would end or split a pair.
const SENT_AS_THEY_ARE = /%[0-9a-f]{2}|[:/?@!$'()*,;]+/gi

/** Reserved characters stay, and so does what is encoded already; but for `[ ] # & + =`, which mean something in a query. */
function reserved(text: string): string {
  let [written, from] = ['', 0]
  for (const { 0: kept, index } of text.matchAll(SENT_AS_THEY_ARE)) {
    written += encoded(text.slice(from, index)) + kept
    from = index + kept.length
  }
  return written + encoded(text.slice(from))
}

// How OpenAPI 3.1.1 writes a value into an address, a header, a cookie or a form. Its table stands in the test, cell by cell.

type Encode = (text: string) => string
type Pair = readonly [name: string, value: Json]

const asIs: Encode = (text) => text

/** A number as it was written; a list or an object inside another as JSON, because no style says how it is written. */
export const textOf = (value: Json): string => (typeof value === 'string' ? value : stringifyJson(value))

/** A value that is written in a media type of its own: as JSON, but for a text in a type that is not JSON. */
export const typedText = (value: Json, contentType: string): string =>
  isJsonType(contentType) ? stringifyJson(value) : textOf(value)

export const isJsonType = (contentType: string): boolean => /[/+]json\b/i.test(contentType)

/** Null is absent, inside a list or an object, too. */
const itemsOf = (list: readonly Json[]): Json[] => list.filter((item) => item !== null)
const membersOf = (object: { readonly [name: string]: Json }): Pair[] =>
  Object.entries(object).filter(([, value]) => value !== null)

/** Names and values in turn: how a list and an object are written if they are not exploded. */
const flat = (value: readonly Json[] | { readonly [name: string]: Json }): string[] =>
  isList(value) ? itemsOf(value).map(textOf) : membersOf(value).flatMap(([name, inner]) => [name, textOf(inner)])

const isList = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** `name=value` of each member, with an equals sign that is part of the style. */
const assigned = (value: { readonly [name: string]: Json }, encode: Encode): string[] =>
  membersOf(value).map(([name, inner]) => `${encode(name)}=${encode(textOf(inner))}`)

/** The value as it stands in a path, its prefix included. */
export function inPath(value: Json, { name, style = 'simple', explode = false, contentType }: ArgumentPlace): string {
  if (contentType !== undefined) return encoded(typedText(value, contentType))
  if (style === 'matrix') return inMatrix(value, name, explode)
  const [prefix, separator] = style === 'label' ? ['.', explode ? '.' : ','] : ['', ',']
  return prefix + joined(value, explode, separator, encoded)
}

function inMatrix(value: Json, name: string, explode: boolean): string {
  const called = encoded(name)
  const pair = (text: string): string => (text === '' ? `;${called}` : `;${called}=${text}`)
  if (explode && isList(value))
    return itemsOf(value)
      .map((item) => pair(encoded(textOf(item))))
      .join('')
  if (explode && isObject(value))
    return assigned(value, encoded)
      .map((one) => `;${one}`)
      .join('')
  return pair(joined(value, false, ',', encoded))
}

function joined(value: Json, explode: boolean, separator: string, encode: Encode): string {
  if (isObject(value) && explode) return assigned(value, encode).join(separator)
  return isList(value) || isObject(value) ? flat(value).map(encode).join(separator) : encode(textOf(value))
}

/** A header is no address: nothing in it is encoded. */
export const inHeader = (value: Json, { explode = false, contentType }: ArgumentPlace): string =>
  contentType === undefined ? joined(value, explode, ',', asIs) : typedText(value, contentType)

/** The pairs of a query, a form or a cookie, each encoded. A list or an object with nothing in it writes none. */
export const inPairs = (value: Json, place: ArgumentPlace): string[] =>
  pairsOf(value, place).map(([name, text]) => `${encoded(name)}=${text}`)

/** The names that members of the value write in place of the name of the argument. */
export function memberNames(value: Json, place: ArgumentPlace): string[] {
  if (!isObject(value)) return []
  const isMatrix = place.style === 'matrix' && place.explode === true
  const isPaired = place.in === 'query' || place.in === 'cookie' || place.in === 'body'
  const names = isMatrix
    ? membersOf(value).map(([name]) => name)
    : isPaired
      ? pairsOf(value, place).map(([name]) => name)
      : []
  return names.filter((name) => name !== place.name)
}

/** Each pair with its name as it is and its value encoded. */
function pairsOf(value: Json, place: ArgumentPlace): [name: string, text: string][] {
  const { name, style = 'form', contentType } = place
  const explode = place.explode ?? (style === 'form' || style === 'deepObject')
  // A cookie has no use for a raw semicolon.
  const encode = place.allowReserved === true && place.in !== 'cookie' ? reserved : encoded
  const pair = (text: string): [string, string] => [name, text]
  if (contentType !== undefined) return [pair(encoded(typedText(value, contentType)))]
  if (!isList(value) && !isObject(value)) return [pair(encode(textOf(value)))]
  if (style === 'deepObject') return deepPairs(name, value, encode)
  if (explode && isList(value)) return itemsOf(value).map((item) => pair(encode(textOf(item))))
  if (explode && isObject(value)) return membersOf(value).map(([member, inner]) => [member, encode(textOf(inner))])
  const items = flat(value).map(encode)
  return items.length === 0 ? [] : [pair(items.join(SEPARATORS[style] ?? ','))]
}

const SEPARATORS: Partial<Record<Style, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }

/** `a[b][c]=…`, with indices where there is a list: the text leaves lists open, and this is what the APIs that use them read. */
function deepPairs(name: string, value: Json, encode: Encode): [name: string, text: string][] {
  const pairs: [string, string][] = []
  const rest: Pair[] = [[name, value]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [path, inner] = next
    const at = (key: string): string => `${path}[${key}]`
    if (isList(inner)) rest.push(...inner.map((item, index): Pair => [at(String(index)), item]).reverse())
    else if (isObject(inner))
      rest.push(
        ...Object.entries(inner)
          .map(([key, item]): Pair => [at(key), item])
          .reverse(),
      )
    else if (inner !== null) pairs.push([path, encode(textOf(inner))])
  }
  return pairs
}
