// A pretend business: a shop with its tool endpoint, for the demo, the tests and the docs.
export { CATALOG } from './catalog.ts'
export { openEndpoint, type ShopEndpoint } from './endpoint.ts'
export { type Book, type Order, openShop, type Shop } from './shop.ts'
