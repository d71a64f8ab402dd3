// The trail over HTTP: read, taken out as a file, checked.
export { auditRoutes } from './routes.ts'
