import { kindOf } from './json-value.ts'

export type Measured =
  | { ok: true; size: number; depth: number; values: number }
  | { ok: false; reason: 'too_deep' | 'too_large' | 'too_many' | 'not_json' }

/** `maxValues`: how many values may stand in it, itself and those in lists and objects. */
type MeasureLimits = { maxDepth: number; maxSize: number; maxValues?: number }

/**
 * Measures a value's length as compact JSON (without escapes) and its depth, up to the limits. It does not recurse, so
 * a caller may safely recurse over a value that passes.
 */
export function measureJson(value: unknown, limits: MeasureLimits): Measured {
  const { maxValues = Number.POSITIVE_INFINITY } = limits
  const open: object[] = []
  const levels: number[] = []
  let size = 0
  let depth = 0
  let values = 1
  const add = (inner: unknown, level: number): Measured | undefined => {
    const own = sizeHere(inner)
    if (own === undefined) return { ok: false, reason: 'not_json' }
    size += own
    if (size > limits.maxSize) return { ok: false, reason: 'too_large' }
    if (typeof inner !== 'object' || inner === null || JSON.isRawJSON(inner)) return undefined
    if (level >= limits.maxDepth) return { ok: false, reason: 'too_deep' }
    depth = Math.max(depth, level + 1)
    if (Array.isArray(inner) ? inner.length === 0 : own === EMPTY) return undefined
    open.push(inner)
    levels.push(level + 1)
    return undefined
  }
  const failed = add(value, 0)
  if (failed) return failed
  for (let next = open.pop(); next; next = open.pop()) {
    const level = levels.pop() ?? 0
    const all: unknown[] = Array.isArray(next) ? next : Object.values(next)
    values += all.length
    if (values > maxValues) return { ok: false, reason: 'too_many' }
    for (const inner of all) {
      const fault = add(inner, level)
      if (fault) return fault
    }
  }
  return { ok: true, size, depth, values }
}

/** `{}` */
const EMPTY = 2

/** What a value adds by itself: its text, or its brackets, names and commas. Undefined if it is not JSON. */
function sizeHere(value: unknown): number | undefined {
  const kind = kindOf(value)
  if (kind === undefined) return undefined
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return String(value).length
  if (JSON.isRawJSON(value)) return value.rawJSON.length
  if (Array.isArray(value)) return 1 + Math.max(1, value.length)
  let size = 1
  let members = 0
  for (const name of Object.keys(value)) {
    size += name.length + 4
    members++
  }
  return members === 0 ? EMPTY : size
}
