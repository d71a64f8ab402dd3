import { draftDuties } from '../features/drafts/index.ts'
import { importedApiOf, importOf, importRoutes, resealCredentials } from '../features/imports/index.ts'
import { defineModule } from '../module.ts'

export const openApiImport = defineModule({
  name: 'openapi-import',
  offers: { tools: { apiOf: importedApiOf, importOf } },
  sealed: [resealCredentials],
  open: ({ house, rooms }) => ({ parts: rooms, jobs: draftDuties(house) }),
  routes: importRoutes,
})
