// What an assistant answers from before anything is integrated: the public website of a business.
export { openCrawls, type ReadSite } from './crawls.ts'
export { withPreviews } from './retrieval.ts'
export type { PreviewRooms } from './rooms.ts'
export { previewRoutes } from './routes.ts'
export { sandboxDuties } from './sandbox/duties.ts'
export { previewLetters } from './sandbox/letters.ts'
export { sandboxes } from './sandbox/sandboxes.ts'
export { openShelf } from './shelf.ts'
