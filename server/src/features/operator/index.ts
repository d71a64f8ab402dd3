// What the operator of a deployment does: tenants, their keys, the figures.
export { operatorRoutes } from './routes.ts'
