// The operator's routes: tenants, their keys, and figures.
export { operatorRoutes } from './routes.ts'
