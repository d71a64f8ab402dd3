// What a provider does with the businesses that it created: makes, equips, watches and leaves them, and never reads across them.
export { providerDuties } from './duties.ts'
export { providerRoutes } from './routes.ts'
