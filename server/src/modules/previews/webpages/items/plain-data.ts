// Items from JSON that no standard describes: the data of a Next.js page, and the answers of a site's public endpoints.
import { member } from '../../../../kernel/json/index.ts'
import type { SiteItem } from '../site-item.ts'
import { addressIn, availabilityOf, descriptionIn, nameIn } from './item-fields.ts'
import { isObject, type JsonObject, objectsIn } from './json-object.ts'
import { type Price, priceOf } from './price.ts'

const MOST_NODES = 50_000
/** Of one document: nobody keeps more. */
const MOST_ITEMS = 1_000
const NAMES = ['name', 'title', 'productName', 'product_name', 'displayName', 'label', 'titleText']
const PRICES = ['salePrice', 'sale_price', 'currentPrice', 'finalPrice', 'final_price', 'price', 'prices']
const CURRENCIES = ['currency', 'currencyCode', 'currency_code', 'priceCurrency', 'price_currency']
const LINKS = ['url', 'href', 'link', 'permalink', 'productUrl', 'product_url', 'canonicalUrl', 'canonical_url', 'path']
/** By these a shop tells its products apart. */
const MARKS = ['slug', 'handle', 'sku', 'gtin', 'ean', 'barcode']
const IMAGES = ['image', 'imageUrl', 'image_url', 'thumbnail', 'thumbnailUrl', 'featuredImage', 'images', 'picture']
const DESCRIPTIONS = [
  'description',
  'shortDescription',
  'short_description',
  'summary',
  'body_html',
  'subtitle',
  'excerpt',
]

/** Objects that have a name and a price; of a page's own data also a link, a picture or a mark; without a price a link, a picture and a description. */
export function itemsOfPlainData(value: unknown, page: string, from: 'next-data' | 'public-json'): SiteItem[] {
  const items: SiteItem[] = []
  for (const object of objectsIn(value, MOST_NODES)) {
    if (items.length >= MOST_ITEMS) break
    if (!NAMES.some((key) => typeof member(object, key) === 'string')) continue
    const price = priceIn(object)
    if (price === null && (from === 'public-json' || IMAGES.every((key) => member(object, key) === undefined))) continue
    const url = addressIn(
      LINKS.map((key) => addressLike(member(object, key))),
      page,
    )
    const image = addressIn(
      IMAGES.map((key) => member(object, key)),
      page,
    )
    // A page's own data also holds what is not for sale: menus, and ways of delivery with a price.
    const isMarked = url !== null || firstOf(object, MARKS) !== undefined
    const mayBeListed = from === 'public-json' ? price !== null : image !== null || (isMarked && price !== null)
    const name = mayBeListed ? nameIn(NAMES.map((key) => member(object, key))) : null
    if (name === null) continue
    const description = descriptionIn(DESCRIPTIONS.map((key) => member(object, key)))
    if (price === null && (url === null || description === null)) continue
    items.push({
      url: url ?? page,
      name,
      description,
      price: price?.price ?? null,
      currency: price?.currency ?? null,
      availability: availabilityIn(object),
      image,
      from,
    })
  }
  return items
}

/** A bare word in `path` or `link` is no address. */
const addressLike = (value: unknown): unknown =>
  typeof value === 'string' && !/^(?:https?:)?\//.test(value) ? null : value

const firstOf = (object: JsonObject, names: readonly string[]): unknown =>
  names.map((name) => member(object, name)).find((value) => value !== undefined && value !== null && value !== '')

function priceIn(object: JsonObject): Price | null {
  const currency = firstOf(object, CURRENCIES)
  for (const key of PRICES) {
    const stated = member(object, key)
    const read = isObject(stated) ? moneyIn(stated, currency) : priceOf(stated, currency)
    if (read !== null) return read
  }
  const [variant] = Array.isArray(object.variants) ? object.variants : []
  return isObject(variant) && isPrice(variant.price)
    ? priceOf(variant.price, firstOf(variant, CURRENCIES) ?? currency)
    : null
}

const isPrice = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

/** An amount without a decimal sign may count in cents, so that only one with a sign of its own is taken. */
function moneyIn(money: JsonObject, outer: unknown): Price | null {
  const currency = firstOf(money, CURRENCIES) ?? outer
  const amount = firstOf(money, ['amount', 'value', 'price', 'current', 'regular'])
  return /[.,]/.test(String(amount)) ? priceOf(amount, currency) : null
}

function availabilityIn(object: JsonObject): string | null {
  const stated = firstOf(object, ['availability', 'stockStatus', 'stock_status'])
  if (typeof stated === 'string') return availabilityOf(stated)
  const flag = firstOf(object, ['inStock', 'in_stock', 'available'])
  return typeof flag === 'boolean' ? (flag ? 'InStock' : 'OutOfStock') : null
}
