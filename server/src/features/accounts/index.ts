// What a workspace does with its own account.
export { accountRoutes } from './routes.ts'
