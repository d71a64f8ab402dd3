// The widget in a tenant's pages: the snippet, where it may speak, what it wears, and whether a page carries it rightly.
export { SCRIPT_PATH } from './embed.ts'
export { embedRoutes } from './routes.ts'
