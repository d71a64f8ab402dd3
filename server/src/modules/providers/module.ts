import { defineModule } from '../../module.ts'
import { openApiImport } from '../openapi-import/module.ts'
import { providerDuties, providerRoutes } from './index.ts'

export const providers = defineModule({
  name: 'providers',
  needs: [openApiImport],
  open: ({ house, verbs }) => ({ parts: verbs, jobs: providerDuties(house, verbs) }),
  routes: providerRoutes,
})
