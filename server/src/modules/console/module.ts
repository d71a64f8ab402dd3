import { defineModule } from '../../module.ts'
import { consoleLetters } from '../../pages/console-kit/index.ts'
import { consoleRoutes } from './index.ts'

/** Stands after the modules whose pages it shows. */
export const console = defineModule({
  name: 'console',
  offers: () => ({ mails: consoleLetters }),
  open: ({ rooms, verbs, spends }) => ({ parts: { rooms, verbs, spend: spends.sessions } }),
  routes: consoleRoutes,
})
