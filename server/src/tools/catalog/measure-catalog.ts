import { isObject, type Json, type Measured, measureJson, shown, turnOf, type Work } from '../../kernel/json/index.ts'
import { labelOf } from './entry.ts'
import { deepestCatalog, mostCatalogCharacters, mostCatalogValues, mostTools, mostToolValues } from './limits.ts'

/** Values that are looked at before other requests get a turn: about 3 ms. */
export const valuesPerTurn = 5_000

/** What a catalog lists; whether it is a tool is not known yet. `values`: how many values stand in it. */
export type Listed = { raw: Json; values: number }
type CatalogMeasured = { ok: true; list: Listed[] } | { ok: false; error: string }

/** Refuses what is no list, or too large to be looked at any further. */
export function* measureCatalog(value: unknown): Work<CatalogMeasured> {
  if (!Array.isArray(value))
    return refused(`A catalog is a JSON array of tools; this is ${kindOf(value)}. Send the array itself.`)
  if (value.length > mostTools)
    return refused(
      `The catalog has ${value.length} tools; ${mostTools} is the most. Leave out the tools that no assistant needs.`,
    )
  const list: Listed[] = []
  const isTurnOver = turnOf(valuesPerTurn)
  let maxSize = mostCatalogCharacters
  let values = 0
  for (const [index, raw] of value.entries()) {
    const measured = measureJson(raw, { maxDepth: deepestCatalog - 1, maxSize, maxValues: mostToolValues })
    if (!measured.ok) return refused(refusals[measured.reason](labelOf(raw, index)))
    maxSize -= measured.size + 1
    values += measured.values
    if (values > mostCatalogValues)
      return refused(
        `The catalog holds more than ${mostCatalogValues} values. Leave out what no assistant needs to know.`,
      )
    list.push({ raw, values: measured.values })
    if (isTurnOver(measured.values)) yield
  }
  return { ok: true, list }
}

const refused = (error: string) => ({ ok: false, error }) as const

const refusals: Record<Extract<Measured, { ok: false }>['reason'], (label: string) => string> = {
  too_large: () =>
    `The catalog is larger than ${mostCatalogCharacters / 1024 / 1024} MiB. Shorten descriptions and schemas.`,
  too_deep: () => `The catalog is nested more than ${deepestCatalog} levels deep. Flatten the schemas.`,
  too_many: (label) => `${label} holds more than ${mostToolValues} values. Leave out what the model does not need.`,
  not_json: () => 'The catalog holds something that is not JSON.',
}

function kindOf(value: unknown): string {
  if (isObject(value)) return 'an object'
  const isPlain = value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
  return isPlain ? shown(value) : 'something else'
}
