// Calls and events for a developer's machine, which nothing can reach from outside: a listener there asks for them, and says what the
// machine answered.
export { listeningDuties } from './duties.ts'
export type { Listeners } from './listeners.ts'
export { openListeners } from './open-listeners.ts'
export { listeningRoutes } from './routes.ts'
