import type { Tool } from '../../catalog/index.ts'
import type { Answered } from '../transport.ts'

const LONGEST = 4_000

/**
 * What an API says of its next page (RFC 8288), for a model that may ask for it; nobody follows it. Null where there is none. It
 * names the tool's own arguments, because a model calls the tool and not the address.
 */
export function nextPageOf({ headers }: Answered, { http }: Tool): string | null {
  const { link } = headers
  const target = typeof link === 'string' ? nextIn(link.slice(0, LONGEST)) : null
  if (target === null || http === null) return null
  const url = URL.parse(target, 'https://api.invalid/')
  const known = new Map(
    Object.entries(http.arguments).flatMap(([name, place]) => (place.in === 'query' ? [[place.name, name]] : [])),
  )
  const named = [...(url?.searchParams ?? [])].flatMap(([name, value]) => {
    const argument = known.get(name)
    return argument === undefined ? [] : [`${argument} = ${JSON.stringify(value)}`]
  })
  if (named.length === 0) return 'There are more results than these, on a further page.'
  return `There are more results than these. For the next page, call the tool again with ${named.join(', ')}.`
}

/** The first target whose relation is `next`. */
function nextIn(header: string): string | null {
  for (const [, target = '', parameters = ''] of header.matchAll(
    /<([^<>]*)>((?:\s*;\s*[\w*!#$&+\-.^`|~]+(?:=(?:"[^"]*"|[^\s",;]*))?)*)/g,
  )) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))/i.exec(parameters) ?? []
    if ((quoted ?? bare ?? '').toLowerCase().split(/\s+/).includes('next')) return target
  }
  return null
}
