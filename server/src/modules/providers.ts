import { providerDuties, providerRoutes } from '../features/providers/index.ts'
import { defineModule } from '../module.ts'
import { openApiImport } from './openapi-import.ts'

export const providers = defineModule({
  name: 'providers',
  needs: [openApiImport],
  open: ({ house, verbs }) => ({ parts: verbs, jobs: providerDuties(house, verbs) }),
  routes: providerRoutes,
})
