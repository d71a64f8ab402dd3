// The one setting whose names are not all known beforehand: a price for each model that the operator uses.
import type { Shape } from './shapes.ts'

/** Millionths of a US dollar for a million tokens: whole numbers, so that no cost drifts. */
export type ModelPrice = { readonly inputMicros: number; readonly outputMicros: number }

/** By the name of the model in lower case. */
export type PriceTable = ReadonlyMap<string, ModelPrice>

const COLUMNS = ['inputpermillion', 'outputpermillion'] as const
const DECIMALS = 6

/** Reads `{model: {InputPerMillion, OutputPerMillion}}`, both of them and nothing else. */
export const priceTable: Shape<PriceTable> = {
  expects: `for each model InputPerMillion and OutputPerMillion, numbers from 0 to 1000000 with at most ${DECIMALS} decimals,`,
  secret: false,
  isTable: true,
  read(raw) {
    if (!isObject(raw)) return undefined
    const rows = Object.entries(raw).map(([model, row]) => [model.toLowerCase(), priceIn(row)] as const)
    const read = rows.flatMap(([model, price]) => (price === undefined ? [] : [[model, price] as const]))
    return read.length === rows.length ? { value: new Map(read) } : undefined
  },
  show: (table) =>
    [...table]
      .map(([model, price]) => `${model} ${dollars(price.inputMicros)}/${dollars(price.outputMicros)}`)
      .join(', '),
}

function priceIn(row: unknown): ModelPrice | undefined {
  if (!isObject(row)) return undefined
  const columns = new Map(Object.entries(row).map(([column, raw]) => [column.toLowerCase(), micros(raw)]))
  const [inputMicros, outputMicros] = COLUMNS.map((column) => columns.get(column))
  if (columns.size !== COLUMNS.length || inputMicros === undefined || outputMicros === undefined) return undefined
  return { inputMicros, outputMicros }
}

function micros(raw: unknown): number | undefined {
  const text = typeof raw === 'number' ? String(raw) : typeof raw === 'string' ? raw.trim() : ''
  const parts = /^(\d{1,7})(?:\.(\d{1,6}))?$/.exec(text)
  if (!parts) return undefined
  const [, whole = '', fraction = ''] = parts
  const value = Number(whole + fraction.padEnd(DECIMALS, '0'))
  return value <= 1_000_000 * 10 ** DECIMALS ? value : undefined
}

const dollars = (amount: number): string => String(amount / 10 ** DECIMALS)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
