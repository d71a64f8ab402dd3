import { isJsonType } from './styles.ts'

// The specification signs a direct call as it signs a call of the tool endpoint: with the same secret, over the time and the body
// alone. Whoever sees the request can hand the body and its signature on to the endpoint, so no body may read as something that
// the endpoint performs. Header and content type are not signed: each body is read in every way in which a server might read it.

/** Whether a server that trusts our signature could take this body for a tool call, an event or a question of ours. */
export function readsAsOurs({ contentType, content }: Body): boolean {
  if (isOurs(pairsOf(formPairs(content)))) return true
  const value = isJsonType(contentType) ? parsed(content) : undefined
  if (value !== undefined) return typeof value === 'object' && value !== null && isOurs(pairsOf(Object.entries(value)))
  const names = [...content.matchAll(PART_NAME)].map(([, name]) => name ?? '')
  if (names.length > 0 && isOurs(wordsOf(content, new Set(names.map(nameOf))))) return true
  // A text was written by somebody else, with names that occur twice and whatever a lenient parser makes of it: each word counts.
  return MAY_BE_JSON.test(content) && isOurs(wordsOf(content))
}

type Body = { readonly contentType: string; readonly content: string }

/** What a body holds: the names of its members, and whether its `type` may be this. */
type Said = { readonly names: ReadonlySet<string>; isOfType(type: string): boolean }

/**
 * By their names, because not every receiver looks at `type`: an endpoint that was written for the calls alone takes whatever has
 * a tool and its arguments.
 */
function isOurs({ names, isOfType }: Said): boolean {
  if (isOfType('tool_call') || isOfType('endpoint_test') || isOfType('claims_list')) return true
  if (names.has('tool') && (names.has('request_id') || names.has('arguments'))) return true
  return names.has('event') && (names.has('request_id') || isOfType('event'))
}

function pairsOf(pairs: readonly (readonly [name: string, value: unknown])[]): Said {
  const types = pairs.flatMap(([name, value]) =>
    nameOf(name) === 'type' && typeof value === 'string' ? [folded(value)] : [],
  )
  return { names: new Set(pairs.map(([name]) => nameOf(name))), isOfType: (type) => types.includes(type) }
}

/** Undefined for a form whose binding calls it JSON. */
function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

/** What a form holds of the members that count. It is decoded before it is split, so that nothing hides behind a second decoding. */
function formPairs(content: string): (readonly [name: string, value: string])[] {
  const decoded = content.replace(/%([0-7][0-9a-f])/gi, (_, code) => fromCode(code)).replaceAll('+', ' ')
  return [...folded(decoded).matchAll(FORM_PAIR)].map(([, name, value]) => [name ?? '', value ?? ''])
}
const FORM_PAIR = /(?:^|[&;])\s*(type|tool|event|request_id|arguments)(?=[=[.&;]|$)(?:=([a-z_]*))?/g

function wordsOf(text: string, names?: ReadonlySet<string>): Said {
  const clear = text.replaceAll('\0', '').replace(/\\u([0-9a-f]{4})/gi, (_, code) => fromCode(code))
  const words = new Set(folded(clear).match(/[a-z_]+/g))
  return { names: names ?? words, isOfType: (type) => (names ?? words).has('type') && words.has(type) }
}

const fromCode = (code: string): string => String.fromCharCode(Number.parseInt(code, 16))

/** Parsers that pass over case, Go's among them, fold as Unicode does: "ſ" is an "s", and the Kelvin sign a "k". */
const folded = (text: string): string => text.toUpperCase().toLowerCase()
/** A form writes what is nested as `arguments[number]`. */
const nameOf = (name: string): string => folded(name.replace(/[[.].*$/s, '').trim())

/** A name in the head of a part, as multipart forms write it. */
const PART_NAME = /\bname="?([^";\r\n]*)/gi

/**
 * At its start, or behind `.<digits>.`: the Standard Webhooks signature is over `{id}.{time}.{body}`, so what stands before such
 * a place can be passed off as the end of the id. Zero characters are what text in UTF-16 has between its letters.
 */
const MAY_BE_JSON = /(?:^|\.[\d\0]{1,24}\.)[\s\0\ufeff]*[{/]/
