import { isObject } from '../json-value.ts'
import type { Dialect, Schema, Site } from './model.ts'

/**
 * Finds the path of a schema that leads back to itself without going deeper into the value, through references and
 * allOf, anyOf, not… Checking a value against it would never end. (Recursion through properties or items is fine,
 * because the value ends.)
 */
export function circleIn(sites: Map<object, Site>, dialect: Dialect): string | undefined {
  const done = new Set<Site>()
  for (const start of sites.values()) {
    const found = done.has(start) ? undefined : walk(start, sites, dialect, done)
    if (found) return found.path
  }
  return undefined
}

/** Searches depth first with its own list, because a chain of references may be longer than the stack. */
function walk(start: Site, sites: Map<object, Site>, dialect: Dialect, done: Set<Site>): Site | undefined {
  const onWay = new Set<Site>([start])
  const way = [{ site: start, ways: waysOn(start, sites, dialect) }]
  for (let here = way.at(-1); here; here = way.at(-1)) {
    const next = here.ways.pop()
    if (next === undefined) {
      way.pop()
      onWay.delete(here.site)
      done.add(here.site)
    } else if (onWay.has(next)) {
      return next
    } else if (!done.has(next)) {
      onWay.add(next)
      way.push({ site: next, ways: waysOn(next, sites, dialect) })
    }
  }
  return undefined
}

/** The schemas that check the same value as this one. */
function waysOn(site: Site, sites: Map<object, Site>, dialect: Dialect): Site[] {
  const found: (Schema | undefined)[] = [site.ref, site.dynamicRef?.target]
  for (const [name, given] of Object.entries(site.schema)) {
    const keyword = dialect.keywords.get(name)
    if (keyword?.inPlace && keyword.inner)
      for (const [, inner] of keyword.inner(given)) if (isObject(inner)) found.push(inner)
  }
  return found.flatMap((schema) => (isObject(schema) ? (sites.get(schema) ?? []) : []))
}
