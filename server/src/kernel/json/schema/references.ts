import { spend, type WorkBudget } from '../budget.ts'
import { isObject, type Json, member } from '../json-value.ts'
import type { Resource } from './model.ts'

/** The limit for an `$id` or a reference, as written and as resolved. */
export const longestAddress = 2_048

/** Where a reference leads. `outside` is true if it names a resource that is not in the schema. */
export type Located = { outside: boolean; target?: Json; resource?: Resource; fragment: string }

/** Resources by their addresses, and by their roots. */
type Known = { resources: Map<string, Resource>; rooted: Map<Json, Resource>; budget: WorkBudget }

/** The absolute address that an `$id` gives its schema, without a fragment. */
export function resourceUri($id: string, outer: Resource, budget: WorkBudget): string | undefined {
  if ($id.length > longestAddress) return undefined
  // URL.parse parses the base again each time.
  spend(budget, 100 + $id.length + outer.uri.length)
  const url = URL.parse($id, outer.uri)
  if (!url) return undefined
  url.hash = ''
  return url.href.length > longestAddress ? undefined : url.href
}

export function locate(known: Known, from: Resource, reference: string): Located {
  spend(known.budget, 20 + reference.length)
  const hash = reference.indexOf('#')
  const address = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = hash === -1 ? '' : decodeFragment(reference.slice(hash + 1))
  const uri = address === '' ? from.uri : resourceUri(address, from, known.budget)
  const resource = uri === undefined ? undefined : known.resources.get(uri)
  if (!resource) return { outside: true, fragment }
  if (fragment === '' || fragment.startsWith('/'))
    return { outside: false, fragment, ...pointed(resource, fragment, known) }
  const target = resource.anchors.get(fragment)
  return target === undefined ? { outside: false, fragment } : { outside: false, fragment, target, resource }
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Follows a JSON pointer, and changes resource where it passes one that we know. */
function pointed(start: Resource, pointer: string, { rooted, budget }: Known): { target?: Json; resource: Resource } {
  let target: Json = start.root
  let resource = start
  for (const step of pointer.split('/').slice(1)) {
    spend(budget, 20)
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const next: Json | undefined = isObject(target) ? member(target, key) : itemAt(target, key)
    if (next === undefined) return { resource }
    target = next
    resource = rooted.get(target) ?? resource
  }
  return { target, resource }
}

const itemAt = (target: Json, key: string): Json | undefined =>
  Array.isArray(target) && /^(0|[1-9]\d*)$/.test(key) ? target[Number(key)] : undefined
