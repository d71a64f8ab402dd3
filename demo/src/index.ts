// Two pretend businesses for the demo, the tests and the docs: a shop with a tool endpoint, and a workshop with an API.
export { CATALOG } from './catalog.ts'
export { openEndpoint, type ShopEndpoint } from './endpoint.ts'
export { type Book, type Order, openShop, type Shop } from './shop.ts'
export { openWorkshop, WORKSHOP_DECLARATION, WORKSHOP_TOKEN, type Workshop } from './workshop.ts'
export { WORKSHOP_DOCUMENT } from './workshop-document.ts'
