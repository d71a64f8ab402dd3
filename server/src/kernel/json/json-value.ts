import type { ExactNumber } from './raw-json.ts'

/** Any JSON value. A number is a double, or an ExactNumber if a double would have changed it. */
export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }
type JsonKind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** The kind of a value, or undefined if it is not JSON (undefined, a function, NaN, a Date…). */
export function kindOf(value: unknown): JsonKind | undefined {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : undefined
  if (typeof value !== 'object') return undefined
  if (Array.isArray(value)) return 'array'
  if (JSON.isRawJSON(value)) return 'number'
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null ? 'object' : undefined
}

export const isObject = (value: unknown): value is JsonObject => kindOf(value) === 'object'

/** Leaves out null members, which count as absent in what is sent to us. `meant` names those whose null has a meaning. */
export function present(object: JsonObject, ...meant: readonly string[]): JsonObject {
  const isThere = ([name, value]: [string, Json]) => value !== null || meant.includes(name)
  const members = Object.entries(object)
  return members.every(isThere) ? object : Object.fromEntries(members.filter(isThere))
}

/** Reads an own member, never an inherited one, so that `constructor` and `__proto__` are ordinary names. */
export function member<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Sets an own member. Plain assignment of `__proto__` would set the object's prototype instead. */
export function setMember<Value>(object: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}
