import { defineModule } from '../module.ts'
import { consoleRoutes } from '../surfaces/console/index.ts'

/** Stands after the modules whose pages it shows. */
export const console = defineModule({
  name: 'console',
  open: ({ rooms, verbs, spends }) => ({ parts: { rooms, verbs, spend: spends.sessions } }),
  routes: consoleRoutes,
})
