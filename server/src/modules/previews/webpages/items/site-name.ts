import { nameIn } from './item-fields.ts'
import { objectsIn } from './json-object.ts'
import { typesOf } from './linked-data.ts'

const MOST_NODES = 5_000

/** How a site calls itself in its JSON-LD: as a website first, then as a business. */
export function siteNameIn(values: readonly unknown[]): string | null {
  let business: string | null = null
  for (const object of objectsIn(values, MOST_NODES)) {
    const types = typesOf(object)
    if (types.includes('website')) {
      const name = nameIn([object.name])
      if (name !== null) return name
    }
    if (
      business === null &&
      types.some(
        (type) => type === 'organization' || type === 'onlinestore' || type.endsWith('business') || type === 'store',
      )
    )
      business = nameIn([object.name])
  }
  return business
}
