import { climbs, type Fixed } from '../../../tools/catalog/index.ts'

/** Where an operation is called. */
export type Route = {
  /** Begins with one slash, and has neither a query nor a fragment. */
  readonly path: string
  /** What the document wrote behind a `?`, apart from templates. */
  readonly query: readonly Fixed[]
  /** The templates of the path, in order. */
  readonly inPath: readonly string[]
  /** The templates that stood behind the `?`: the wire's name by the template's. */
  readonly inQuery: ReadonlyMap<string, string>
}

const longestPath = 2_000

/** Undefined where nothing can be called: a path that leaves the address, or is none. */
export function routeOf(written: string): Route | undefined {
  const [bare = ''] = written.slice(0, 2 * longestPath).split('#', 1)
  const at = bare.indexOf('?')
  const path = escapeBlanks(at < 0 ? bare : bare.slice(0, at))
  if (path.length > longestPath || written.length > 2 * longestPath) return undefined
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\') || climbs(path)) return undefined
  if (/\p{Cc}/u.test(path)) return undefined
  const query: Fixed[] = []
  const inQuery = new Map<string, string>()
  for (const pair of at < 0 ? [] : bare.slice(at + 1).split('&')) {
    const [name = '', value = ''] = pair.split('=', 2).map(decoded)
    const [template] = templatesIn(value)
    if (name.startsWith('{') && value === '') continue
    if (template !== undefined) inQuery.set(template, name)
    else if (name !== '') query.push({ name, value })
  }
  return { path, query, inPath: [...new Set(templatesIn(path))], inQuery }
}

/** A regular expression would be quadratic over many opening braces. */
export function templatesIn(text: string): string[] {
  const found: string[] = []
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const end = text.indexOf('}', at)
    if (end < 0) break
    const opening = text.lastIndexOf('{', end)
    const name = text.slice(opening + 1, end)
    if (name !== '' && !name.includes('/')) found.push(name)
    at = end
  }
  return found
}

const escapeBlanks = (path: string): string => path.replaceAll(' ', '%20')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
