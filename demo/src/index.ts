// A pretend business for the demo, the tests and the docs: a shop with a tool endpoint.
export { CATALOG } from './catalog.ts'
export { openEndpoint, type ShopEndpoint } from './endpoint.ts'
export { type Book, type Order, openShop, type Shop } from './shop.ts'
