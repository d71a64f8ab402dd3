import { cut, isObject, type Json, type JsonObject, member } from '../../foundation/json/index.ts'
import type { DeclaredArguments } from './declared-arguments.ts'

/** One entry of a catalog while it is being checked: nothing about it is known to be right. */
export type Entry = {
  /** How messages call it: its name, or where it stands. */
  label: string
  raw: JsonObject
  /** Declared a write; or `is_write` is so wrong that only that should be said about it. */
  mayBeWrite: boolean
  /** What its parameters declare; undefined when they are no schema, so that nothing else is said about them. */
  arguments: DeclaredArguments | undefined
}

export function labelOf(raw: Json, index: number): string {
  const name = isObject(raw) ? member(raw, 'name') : undefined
  if (typeof name !== 'string' || name.trim() === '') return `entry ${index}`
  return /^\w+$/.test(name) ? cut(name, 70) : JSON.stringify(cut(name, 70))
}
