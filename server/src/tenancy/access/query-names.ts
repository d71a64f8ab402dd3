import { refuse, requestSchema } from '../../kernel/http/index.ts'
import { closestName } from '../../kernel/settings/index.ts'
import type { Route } from './route.ts'

const LONGEST_SHOWN = 60

type Asked = Pick<Route, 'method' | 'path' | 'query'>

/** True if the route refuses a query parameter that it does not know. */
const knowsItsQuery = ({ method, path, query }: Asked): boolean =>
  path.startsWith('/v1/') && (method === 'GET' || query !== undefined)

/**
 * Refuses a query parameter that the route does not know, because a misspelt filter would silently filter nothing. Pages
 * outside `/v1` accept what mail programs add to an address.
 */
export function queryNames(route: Asked): (given: Readonly<Record<string, unknown>>) => void {
  if (!knowsItsQuery(route)) return () => {}
  const { query } = route
  let known: readonly string[] | undefined
  return (given) => {
    known ??= query === undefined ? [] : Object.keys(requestSchema(query).properties ?? {})
    for (const name of Object.keys(given)) {
      if (!known.includes(name)) throw unknownName(name.slice(0, LONGEST_SHOWN), known)
    }
  }
}

function unknownName(name: string, known: readonly string[]) {
  const meant = closestName(name, known)
  const next = meant === undefined ? 'This route takes no parameters.' : `The nearest is \`${meant}\`.`
  return refuse('invalid_request', `\`${name}\` (in the query) is unknown here. ${next}`)
}
