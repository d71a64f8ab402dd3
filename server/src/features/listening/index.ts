// Calls and events for a developer's machine, which nothing can reach from outside: a listener there asks for them, and says what the
// machine answered.
export { type Listeners, openListeners } from './listeners.ts'
export { listeningRoutes } from './routes.ts'
