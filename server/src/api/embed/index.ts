// The widget on a tenant's own pages: its key and snippet, its origins, its looks, and the check of a page.
export { readBrand, writeBrand } from './brand.ts'
export { readEmbed } from './embed.ts'
export { embedLetters } from './instructions.ts'
export { readOrigins, writeOrigins } from './origins.ts'
export { embedRoutes } from './routes.ts'
export { checkSite } from './site-check.ts'
export { SCRIPT_PATH } from './snippet.ts'
export { snippetWords } from './words.ts'
