// The only setting whose names are not all known beforehand: a price for each model that the operator uses.
import { z } from 'zod'
import { type SettingShape, shape } from './setting.ts'
import { digits } from './shapes.ts'

/** In millionths of a US dollar per million tokens. Whole numbers keep costs exact. */
type ModelPrice = {
  readonly inputMicros: number
  /** Null where it is not given, as for a model that only makes vectors. */
  readonly outputMicros: number | null
}

/** The keys are names of models in lower case. */
export type PriceTable = ReadonlyMap<string, ModelPrice>

const DECIMALS = 6

const micros = digits(/^\d{1,7}(\.\d{1,6})?$/)
  .transform((written) => {
    const [whole = '', fraction = ''] = written.split('.')
    return Number(whole + fraction.padEnd(DECIMALS, '0'))
  })
  .pipe(z.number().max(1_000_000 * 10 ** DECIMALS))

const byLowerName = <Value>(type: z.ZodType<Value>) =>
  z
    .record(z.string(), type)
    .transform((rows) => new Map(Object.entries(rows).map(([name, value]) => [name.toLowerCase(), value])))

const price = byLowerName(micros)
  .transform((columns): { [name: string]: number | undefined } => Object.fromEntries(columns))
  .pipe(z.strictObject({ inputpermillion: z.number(), outputpermillion: z.number().optional() }))
  .transform((row): ModelPrice => ({ inputMicros: row.inputpermillion, outputMicros: row.outputpermillion ?? null }))

/** Reads `{model: {InputPerMillion, OutputPerMillion}}`, with no other members. Only a model that says something needs the second. */
export const priceTable: SettingShape<PriceTable> = shape(
  `InputPerMillion and OutputPerMillion for each model, as numbers from 0 to 1000000 with at most ${DECIMALS} decimals`,
  byLowerName(price),
  {
    isTable: true,
    show: (table) =>
      [...table]
        .map(([model, { inputMicros, outputMicros }]) =>
          [`${model} ${dollars(inputMicros)}`, ...(outputMicros === null ? [] : [dollars(outputMicros)])].join('/'),
        )
        .join(', '),
  },
)

const dollars = (amount: number): string => String(amount / 10 ** DECIMALS)
