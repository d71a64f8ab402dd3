// The widget on a tenant's own pages: its key, what to paste, where it may speak, how it looks, and whether it is there.
export { embedLetters } from './instructions.ts'
export { embedRoutes } from './routes.ts'
export { SCRIPT_PATH } from './snippet.ts'
