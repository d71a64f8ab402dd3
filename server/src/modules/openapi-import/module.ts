import { defineModule } from '../../module.ts'
import { importPage } from './console/index.ts'
import { draftDuties } from './drafts/index.ts'
import { importedApiOf, importOf, importRoutes, openYamlQueue, sealedCredentials } from './index.ts'

export const openApiImport = defineModule({
  name: 'openapi-import',
  offers: () => ({ tools: { apiOf: importedApiOf, importOf } }),
  sealed: [sealedCredentials],
  open: ({ house, rooms, verbs }) => ({
    parts: { rooms: { ...rooms, yaml: openYamlQueue() }, verbs },
    jobs: draftDuties(house),
  }),
  routes: ({ rooms }) => importRoutes(rooms),
  pages: ({ rooms, verbs }) => [importPage(rooms, verbs)],
})
