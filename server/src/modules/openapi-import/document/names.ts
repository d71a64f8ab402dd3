import { sha256Hex } from '../../../kernel/crypto/index.ts'
import { romanised } from '../../../kernel/text/index.ts'
import { reservedName, toolNamePattern } from '../../../tools/catalog/index.ts'

export type Nameable = { readonly id: string | undefined; readonly method: string; readonly path: string }

const longestName = 64
/** Nobody's id is longer, and expressions should not see more of one. */
const longestId = 500

/** By method and path, as the document writes them. */
export const placeKey = (method: string, path: string): string => `${method} ${path}`

/**
 * Names operations: those that are registered keep their names, then ids that are names stay, then the others become
 * snake_case, with `_2`, `_3` in the document's order where two would be alike. A name that moved to another operation
 * would hand the declaration of a read to a write.
 */
export function nameOperations(operations: readonly Nameable[], registered: ReadonlyMap<string, string>): string[] {
  const taken = new Set<string>([reservedName])
  const names = new Map<number, string>()
  const claim = (index: number, name: string) => {
    taken.add(name)
    names.set(index, name)
  }
  for (const [index, { method, path }] of operations.entries()) {
    const name = registered.get(placeKey(method, path))
    if (name !== undefined && !taken.has(name)) claim(index, name)
  }
  for (const [index, { id }] of operations.entries()) {
    if (!names.has(index) && id !== undefined && toolNamePattern.test(id) && !taken.has(id)) claim(index, id)
  }
  const counts = new Map<string, number>()
  for (const [index, operation] of operations.entries()) {
    if (!names.has(index)) claim(index, free(snakeName(operation), taken, counts))
  }
  return operations.map((_, index) => names.get(index) ?? '')
}

/** `counts` remembers how far each name has come, because a document may give all of its operations the same. */
function free(name: string, taken: ReadonlySet<string>, counts: Map<string, number>): string {
  if (!taken.has(name)) return name
  for (let count = counts.get(name) ?? 2; ; count++) {
    const suffix = `_${count}`
    const next = name.slice(0, longestName - suffix.length) + suffix
    if (taken.has(next)) continue
    counts.set(name, count + 1)
    return next
  }
}

function snakeName(operation: Nameable): string {
  const { id, method, path } = operation
  const verb = method.toLowerCase()
  const made = snake(id ?? '') || snake(`${verb} ${wordsOf(path)}`) || verb
  const started = /^[a-z]/.test(made) && made.length >= 3 ? made : `${verb}_${made}`
  if (started.length <= longestName) return started
  const hash = sha256Hex(id !== undefined && snake(id) !== '' ? id : placeKey(method, path)).slice(0, 6)
  return `${started.slice(0, 57)}_${hash}`
}

const wordsOf = (path: string): string => path.slice(0, longestId).replaceAll('{', ' by ').replaceAll('}', ' ')

/** Without the marks on letters, and Georgian ones as those of Latin. Of other scripts nothing can stand in a name. */
export const latin = (text: string): string => romanised(text.normalize('NFKD').replace(/\p{M}/gu, ''))

const snake = (text: string): string =>
  latin(text.slice(0, longestId))
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
