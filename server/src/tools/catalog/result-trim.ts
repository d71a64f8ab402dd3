import { isInteger, isNumber, isObject, type Json, member, present } from '../../kernel/json/index.ts'
import { parsePath } from './dot-path.ts'
import { mostPickedPaths, mostResultItems } from './limits.ts'

/** What the model gets to see of a tool's result. */
export type ResultTrim = {
  /** Dot paths to keep; null keeps everything. A name steps into every item of an array, a number into one. */
  pick: string[][] | null
  /** How many items of any array to keep; null keeps all. */
  maxItems: number | null
}

/** `{pick: ["path", …], max_items}`, at least one of the two; undefined when it is not of that form. */
export function parseTrim(sent: Json | undefined): ResultTrim | undefined {
  if (!isObject(sent)) return undefined
  const value = present(sent)
  const names = Object.keys(value)
  if (names.length === 0 || names.some((name) => name !== 'pick' && name !== 'max_items')) return undefined
  const pick = parsePick(member(value, 'pick'))
  const maxItems = parseMaxItems(member(value, 'max_items'))
  return pick === undefined || maxItems === undefined ? undefined : { pick, maxItems }
}

function parsePick(value: Json | undefined): string[][] | null | undefined {
  if (value === undefined) return null
  if (!Array.isArray(value) || value.length === 0 || value.length > mostPickedPaths) return undefined
  const paths = value.map(parsePath)
  return paths.every((path) => path !== undefined) ? paths : undefined
}

function parseMaxItems(value: Json | undefined): number | null | undefined {
  if (value === undefined) return null
  const fine = isNumber(value) && isInteger(value) && Number(value) >= 1 && Number(value) <= mostResultItems
  return fine ? Number(value) : undefined
}
