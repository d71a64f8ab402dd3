import type { Json } from '../../kernel/json/index.ts'
import type { Input } from './document/inputs.ts'
import type { Reading } from './document/reading.ts'
import { typeOf } from './schemas/keywords.ts'

/** The type of an input, as far as its schema says it outright. */
export type InputType = (input: Pick<Input, 'schema'>) => string | string[] | undefined

export const openInputType =
  (reading: Reading): InputType =>
  ({ schema }) => {
    const found = reading.follow(schema)
    const type = found === undefined ? undefined : typeOf(found)
    return typeof type === 'string' ? type : isTexts(type) ? type : undefined
  }

const isTexts = (value: Json | undefined): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A number, or a list that may be one: what a model likes to fill in where nobody asked it to. */
export const isNumeric = (type: string | string[] | undefined): boolean =>
  [type].flat().some((one) => one === 'number' || one === 'integer')
