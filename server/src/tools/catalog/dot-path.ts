import { isObject, type Json, member } from '../../kernel/json/index.ts'
import { deepestPath, longestPath } from './limits.ts'

/** `lines.0.state`: member names and array indexes. Undefined when the text is not a path. */
export function parsePath(text: unknown): string[] | undefined {
  if (typeof text !== 'string' || text.length > longestPath) return undefined
  const steps = text.split('.')
  return steps.includes('') || steps.length > deepestPath ? undefined : steps
}

const index = /^(?:0|[1-9]\d{0,8})$/
export const isIndex = (step: string): boolean => index.test(step)

/** One step down: a member of an object, or an item of an array. Undefined when there is none. */
function stepInto(value: Json, step: string): Json | undefined {
  if (Array.isArray(value)) return isIndex(step) ? value[Number(step)] : undefined
  return isObject(value) ? member(value, step) : undefined
}

/** What stands at the path; undefined when nothing does. (null is something.) */
export function readPath(value: Json, path: readonly string[]): Json | undefined {
  let here: Json | undefined = value
  for (const step of path) {
    if (here === undefined) return undefined
    here = stepInto(here, step)
  }
  return here
}
