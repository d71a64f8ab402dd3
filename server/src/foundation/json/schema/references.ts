import { isObject, type Json, member } from '../json-value.ts'
import type { Resource } from './model.ts'

/** Where a reference leads. `outside` is true if it names a resource that is not in the schema. */
export type Located = { outside: boolean; target?: Json; resource?: Resource; fragment: string }

/** The absolute address that an `$id` gives its schema, without a fragment. */
export function resourceUri($id: string, outer: Resource): string | undefined {
  const url = URL.parse($id, outer.uri)
  if (!url) return undefined
  url.hash = ''
  return url.href
}

export function locate(resources: Map<string, Resource>, from: Resource, reference: string): Located {
  const hash = reference.indexOf('#')
  const address = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = hash === -1 ? '' : decodeFragment(reference.slice(hash + 1))
  const uri = address === '' ? from.uri : resourceUri(address, from)
  const resource = uri === undefined ? undefined : resources.get(uri)
  if (!resource) return { outside: true, fragment }
  if (fragment === undefined) return { outside: false, fragment: '' }
  if (fragment === '' || fragment.startsWith('/'))
    return { outside: false, fragment, ...pointed(resource, fragment, resources) }
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

/** Follows a JSON pointer, and changes resource where it passes an `$id` that we know. */
function pointed(
  start: Resource,
  pointer: string,
  resources: Map<string, Resource>,
): { target?: Json; resource: Resource } {
  let target: Json = start.root
  let resource = start
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const next: Json | undefined = isObject(target) ? member(target, key) : itemAt(target, key)
    if (next === undefined) return { resource }
    target = next
    resource = resourceOf(target, resource, resources)
  }
  return { target, resource }
}

const itemAt = (target: Json, key: string): Json | undefined =>
  Array.isArray(target) && /^(0|[1-9]\d*)$/.test(key) ? target[Number(key)] : undefined

function resourceOf(target: Json, outer: Resource, resources: Map<string, Resource>): Resource {
  if (!isObject(target) || typeof target.$id !== 'string') return outer
  const uri = resourceUri(target.$id, outer)
  const own = uri === undefined ? undefined : resources.get(uri)
  return own?.root === target ? own : outer
}
