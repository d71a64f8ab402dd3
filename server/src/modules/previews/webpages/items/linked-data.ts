// Items from JSON-LD, and from microdata, which says the same in attributes.
import type { SiteItem } from '../site-item.ts'
import { addressIn, availabilityOf, descriptionIn, nameIn } from './item-fields.ts'
import { isObject, type JsonObject, objectsIn } from './json-object.ts'
import { type Price, priceOf } from './price.ts'

const MOST_NODES = 20_000
/** Of one block: nobody keeps more. */
const MOST_ITEMS = 1_000
const LISTED = new Set(
  'product productgroup productmodel individualproduct someproducts vehicle car motorcycle book service financialproduct offer event course courseinstance recipe menuitem jobposting softwareapplication mobileapplication webapplication videogame hotelroom room suite apartment house accommodation touristtrip trip realestatelisting'.split(
    ' ',
  ),
)

export function itemsOfLinkedData(value: unknown, page: string, from: 'json-ld' | 'microdata'): SiteItem[] {
  const items: SiteItem[] = []
  for (const object of objectsIn(value, MOST_NODES)) {
    if (items.length >= MOST_ITEMS) break
    const types = typesOf(object)
    if (types.includes('itemlist')) items.push(...listedIn(object, page, from))
    else if (types.some((type) => LISTED.has(type) || type.endsWith('event'))) {
      const item = itemOf(object, page, from)
      if (item !== null) items.push(item)
    }
  }
  return items
}

/** The last parts of its types, lower case: `http://schema.org/Product` is `product`. */
export const typesOf = (object: JsonObject): string[] =>
  [object['@type']]
    .flat()
    .filter((type) => typeof type === 'string')
    .map((type) => type.trim().split(/[/#:]/).at(-1)?.toLowerCase() ?? '')

/** Entries that only name what they lead to. One that holds the thing itself is read as that. */
function listedIn(list: JsonObject, page: string, from: SiteItem['from']): SiteItem[] {
  return [list.itemListElement]
    .flat()
    .slice(0, 1_000)
    .filter(isObject)
    .flatMap((entry): SiteItem[] => {
      const [name, url] = [nameIn([entry.name]), addressIn([entry.url, isObject(entry.item) ? null : entry.item], page)]
      if (name === null || url === null || !typesOf(entry).includes('listitem')) return []
      return [{ url, name, description: null, price: null, currency: null, availability: null, image: null, from }]
    })
}

function itemOf(object: JsonObject, page: string, from: SiteItem['from']): SiteItem | null {
  // An offer has its name from what it offers, and one within a product has none.
  const name = nameIn([object.name, object.title])
  if (name === null) return null
  const offers = typesOf(object).includes('offer') ? [object] : offersOf(object.offers)
  const chosen = bestOf(offers)
  return {
    url: addressIn([object.url, chosen?.offer.url, object.mainEntityOfPage], page) ?? page,
    name,
    description: descriptionIn([object.description]),
    price: chosen?.price?.price ?? null,
    currency: chosen?.price?.currency ?? null,
    availability: availabilityOf(chosen?.offer.availability) ?? null,
    image: addressIn([object.image, object.thumbnailUrl], page),
    from,
  }
}

const MOST_OFFERS = 500
/** An aggregate holds offers. Nothing real is nested deeper, and what is would be looked through once for each of its levels. */
const OFFER_LEVELS = 3

function offersOf(offers: unknown): JsonObject[] {
  const found: JsonObject[] = []
  let level = [offers].flat().filter(isObject)
  for (let depth = 0; depth < OFFER_LEVELS && level.length > 0 && found.length < MOST_OFFERS; depth++) {
    found.push(...level.slice(0, MOST_OFFERS))
    level = level.slice(0, MOST_OFFERS).flatMap((offer) => [offer.offers].flat().filter(isObject))
  }
  return found
}

type Chosen = { readonly offer: JsonObject; readonly price: Price | null }

/** The lowest of the prices that are asked: of a thing in several sizes, what it costs from. */
function bestOf(offers: readonly JsonObject[]): Chosen | null {
  const priced = offers.map((offer): Chosen => ({ offer, price: priceIn(offer) }))
  const [first] = priced
  return priced.filter(({ price }) => price !== null).sort(cheapestFirst)[0] ?? first ?? null
}

function cheapestFirst(one: Chosen, other: Chosen): number {
  const [a, b] = [one, other].map(({ price }) =>
    /^\d+(?:\.\d+)?$/.test(price?.price ?? '') ? Number(price?.price) : null,
  )
  // Numbers that are written for people are not compared: whether their point divides thousands, nobody says.
  if (a === null || b === null || a === undefined || b === undefined || one.price?.currency !== other.price?.currency)
    return 0
  return a - b
}

function priceIn(offer: JsonObject): Price | null {
  const inSpecification = [offer.priceSpecification].flat().filter(isObject)
  const stated = [offer, ...inSpecification].flatMap((one) => [[one.price, one.priceCurrency]])
  for (const [price, currency] of [...stated, [offer.lowPrice, offer.priceCurrency]]) {
    const read = priceOf(Array.isArray(price) ? price[0] : price, currency ?? offer.priceCurrency)
    if (read !== null) return read
  }
  return null
}
