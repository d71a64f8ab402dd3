import { spend, type WorkBudget } from '../budget.ts'
import { isObject } from '../json-value.ts'
import type { Work } from '../turns.ts'
import type { Dialect, Schema, Site } from './model.ts'

/** `done` holds the schemas from which nothing leads back to itself. */
type Search = { sites: Map<object, Site>; dialect: Dialect; budget: WorkBudget; done: Set<Site> }

const sitesPerTurn = 2_000

/**
 * Finds the path of a schema that leads back to itself without going deeper into the value, through references and
 * allOf, anyOf, not… Checking a value against it would never end. (Recursion through properties or items is fine,
 * because the value ends.)
 */
export function* circleIn(sites: Map<object, Site>, dialect: Dialect, budget: WorkBudget): Work<string | undefined> {
  const search: Search = { sites, dialect, budget, done: new Set() }
  for (const start of sites.values()) {
    const found = search.done.has(start) ? undefined : yield* walk(start, search)
    if (found) return found.path
  }
  return undefined
}

/** Searches depth first with its own list, because a chain of references may be longer than the stack. */
function* walk(start: Site, search: Search): Work<Site | undefined> {
  const { done } = search
  const onWay = new Set<Site>([start])
  const way = [{ site: start, ways: waysOn(start, search) }]
  for (let here = way.at(-1); here; here = way.at(-1)) {
    const next = here.ways.pop()
    if (next === undefined) {
      way.pop()
      onWay.delete(here.site)
      done.add(here.site)
      if (done.size % sitesPerTurn === 0) yield
    } else if (onWay.has(next)) {
      return next
    } else if (!done.has(next)) {
      onWay.add(next)
      way.push({ site: next, ways: waysOn(next, search) })
    }
  }
  return undefined
}

/** The schemas that check the same value as this one. */
function waysOn(site: Site, { sites, dialect, budget }: Search): Site[] {
  const found: (Schema | undefined)[] = [site.ref, site.dynamicRef?.target]
  for (const [name, given] of Object.entries(site.schema)) {
    const keyword = dialect.keywords.get(name)
    if (keyword?.inPlace && keyword.inner)
      for (const [, inner] of keyword.inner(given)) if (isObject(inner)) found.push(inner)
  }
  spend(budget, 50 + found.length * 5)
  return found.flatMap((schema) => (isObject(schema) ? (sites.get(schema) ?? []) : []))
}
