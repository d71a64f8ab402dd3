import { cut, isObject, type Json, type JsonObject, member } from '../../kernel/json/index.ts'
import type { DeclaredArguments } from './declared-arguments.ts'

/** One entry of a catalog while it is being checked: nothing about it is known to be right. */
export type Entry = {
  /** What messages call it: its name, or its place in the list. */
  label: string
  raw: JsonObject
  /** How many values stand in it: what looking at it costs. */
  values: number
  /** The tenant's own object, which still has the null members that `raw` lacks. */
  sent: JsonObject
  /** Declared a write, or with an `is_write` so wrong that nothing else should be said about it. */
  mayBeWrite: boolean
  /** What its parameters declare. Undefined when they are not a schema: nothing further is reported about them then. */
  arguments: DeclaredArguments | undefined
}

export function labelOf(raw: Json, index: number): string {
  const name = isObject(raw) ? member(raw, 'name') : undefined
  if (typeof name !== 'string' || name.trim() === '') return `entry ${index}`
  return /^\w+$/.test(name) ? cut(name, 70) : JSON.stringify(cut(name, 70))
}
