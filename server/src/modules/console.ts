import { defineModule } from '../module.ts'
import { consoleRoutes } from '../surfaces/console/index.ts'
import { channels } from './channels.ts'
import { openApiImport } from './openapi-import.ts'
import { previews } from './previews.ts'

export const console = defineModule({
  name: 'console',
  needs: [openApiImport, channels, previews],
  open({ rooms, verbs, spends }, partsOf) {
    const { crawls } = partsOf(previews)
    return { parts: { rooms: { ...rooms, crawls }, verbs, spend: spends.sessions } }
  },
  routes: consoleRoutes,
})
