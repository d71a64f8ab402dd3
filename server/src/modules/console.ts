import { defineModule } from '../module.ts'
import { consoleRoutes } from '../surfaces/console/index.ts'
import { consoleLetters } from '../surfaces/console-page/index.ts'

/** Stands after the modules whose pages it shows. */
export const console = defineModule({
  name: 'console',
  offers: () => ({ mails: consoleLetters }),
  open: ({ rooms, verbs, spends }) => ({ parts: { rooms, verbs, spend: spends.sessions } }),
  routes: consoleRoutes,
})
