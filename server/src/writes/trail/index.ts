// The trail over HTTP: reading, exporting and checking it.
export { auditRoutes } from './routes.ts'
