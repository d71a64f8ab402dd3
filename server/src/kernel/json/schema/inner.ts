import { isObject, type Json } from '../json-value.ts'
import type { Schema } from './model.ts'

/** The cast is true because preparation checked that every value in the place of a schema is one. */
export const asSchema = (given: Json | undefined): Schema =>
  typeof given === 'boolean' || isObject(given) ? given : true

/** The schemas inside a keyword's value, with their keys. */
export const innerOne = (given: Json): [string, Json][] => [['', given]]
export const innerList = (given: Json): [string, Json][] =>
  Array.isArray(given) ? given.map((schema, index) => [String(index), schema]) : []
export const innerMap = (given: Json): [string, Json][] => (isObject(given) ? Object.entries(given) : [])
