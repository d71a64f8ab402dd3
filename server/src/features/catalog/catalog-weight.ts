import type { Json } from '../../foundation/json/index.ts'

/** What a value takes in memory at most, once calls have been checked against the schema that it may be. */
const BYTES_OF_NODE = 160
const BYTES_OF_CHARACTER = 2

/**
 * How many values stand in a text, itself included. Their number decides what it takes in memory: a megabyte of `{}` takes
 * a hundred times what one description of a megabyte does. Counts no further than one past `most`.
 */
export function nodesIn(value: Json, most = Number.POSITIVE_INFINITY): number {
  const open: Json[] = [value]
  let nodes = 1
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || JSON.isRawJSON(next)) continue
    for (const inner of Array.isArray(next) ? next : Object.values(next)) {
      nodes += 1
      if (nodes > most) return nodes
      if (typeof inner === 'object' && inner !== null) open.push(inner)
    }
  }
  return nodes
}

/** About how many bytes of memory a catalog takes. */
export const weightOf = (text: string, value: Json): number =>
  nodesIn(value) * BYTES_OF_NODE + text.length * BYTES_OF_CHARACTER
