import { kindOf } from './json-value.ts'

export type Measured =
  | { ok: true; size: number; depth: number }
  | { ok: false; reason: 'too_deep' | 'too_large' | 'not_json' }

/**
 * The length that a value has as compact JSON (escapes aside) and how deep it nests, stopping at the limits. Walks with
 * a list of its own: what passes here may be recursed over.
 */
export function measureJson(value: unknown, limits: { maxDepth: number; maxSize: number }): Measured {
  const rest: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  let size = 0
  let depth = 0
  for (let next = rest.pop(); next; next = rest.pop()) {
    const cost = sizeHere(next.value)
    if (cost === undefined) return { ok: false, reason: 'not_json' }
    size += cost
    if (size > limits.maxSize) return { ok: false, reason: 'too_large' }
    if (typeof next.value !== 'object' || next.value === null || JSON.isRawJSON(next.value)) continue
    depth = Math.max(depth, next.depth + 1)
    if (depth > limits.maxDepth) return { ok: false, reason: 'too_deep' }
    for (const inner of Object.values(next.value)) rest.push({ value: inner, depth: next.depth + 1 })
  }
  return { ok: true, size, depth }
}

/** What a value adds by itself: its own text, or its brackets, names and commas. Undefined when it is no JSON. */
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
  return members === 0 ? 2 : size
}
