import { defineModule } from '../../module.ts'
import { docsRoutes } from './index.ts'

export const docs = defineModule({
  name: 'docs',
  open: ({ house }) => ({ parts: { url: house.settings.http.publicUrl } }),
  routes: ({ url }) => docsRoutes(url),
})
