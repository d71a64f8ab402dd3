import { isObject, type Json } from '../json-value.ts'
import type { Schema } from './model.ts'

/** Shapes were checked when the schema was prepared, so whatever stands where a schema must is one. */
export const asSchema = (given: Json | undefined): Schema =>
  typeof given === 'boolean' || isObject(given) ? given : true

/** Where schemas stand inside the value of a keyword. */
export const innerOne = (given: Json): [string, Json][] => [['', given]]
export const innerList = (given: Json): [string, Json][] =>
  Array.isArray(given) ? given.map((schema, index) => [String(index), schema]) : []
export const innerMap = (given: Json): [string, Json][] => (isObject(given) ? Object.entries(given) : [])
