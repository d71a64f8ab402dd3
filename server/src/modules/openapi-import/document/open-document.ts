import {
  isObject,
  type Json,
  JsonFault,
  type JsonObject,
  member,
  parseSentJson,
  shown,
} from '../../../kernel/json/index.ts'
import { jsonFromYaml, type YamlTurn } from './read-yaml.ts'
import { type Dialect, DocumentRefused, openReading, type Reading } from './reading.ts'

/** Opens what was sent as `document`: the object itself, or its text as JSON or YAML. YAML is read when its turn comes. */
export async function openDocument(sent: Json, inTurn?: YamlTurn): Promise<Reading> {
  const root = typeof sent === 'string' ? await parsed(sent, inTurn) : sent
  if (!isObject(root))
    throw new DocumentRefused(
      `document must be an OpenAPI document: a JSON object, or its JSON or YAML text. This is ${shown(root)}.`,
    )
  return openReading(root, dialectOf(root))
}

async function parsed(text: string, inTurn?: YamlTurn): Promise<Json> {
  // Some editors and exports begin a file with a mark of its encoding.
  const bare = text.replace(/^\ufeff/, '')
  if (/^\s*https?:\/\/\S+\s*$/.test(bare.slice(0, 3000)))
    throw new DocumentRefused('document is an address, and nothing is fetched: send the document itself.')
  if (!bare.trimStart().startsWith('{')) return json(await jsonFromYaml(bare, inTurn))
  try {
    return json(bare)
  } catch (refused) {
    // YAML may begin with a brace, too. Whatever is neither was most likely meant as JSON.
    const read = await jsonFromYaml(bare, inTurn).catch(() => undefined)
    if (read === undefined) throw refused
    return json(read)
  }
}

function json(text: string): Json {
  try {
    return parseSentJson(text)
  } catch (error) {
    if (error instanceof JsonFault) throw new DocumentRefused(`The text of document cannot be read. ${error.message}`)
    throw error
  }
}

/** A document that says 3.2 or later is read as 3.1, which it extends. YAML without quotes makes a number of a version. */
function dialectOf(root: JsonObject): Dialect {
  const [swagger, openapi] = [member(root, 'swagger'), member(root, 'openapi')]
  const version = versionText(openapi)
  if (/^3(\.0|$)/.test(version)) return '3.0'
  if (/^3\.\d/.test(version)) return '3.1'
  if (/^2(\.0|$)/.test(versionText(swagger))) return '2.0'
  const says = openapi ?? swagger
  throw new DocumentRefused(
    says === undefined
      ? 'document is not an OpenAPI document: it has neither openapi nor swagger. Send an OpenAPI 3.0, 3.1 or Swagger 2.0 document.'
      : `document says version ${shown(says)}, which cannot be imported. Send OpenAPI 3.0, 3.1 or Swagger 2.0.`,
  )
}

const versionText = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
