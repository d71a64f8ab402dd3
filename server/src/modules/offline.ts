import { openOffline } from '../features/offline/index.ts'
import { defineModule } from '../module.ts'

export const offline = defineModule({ name: 'offline', offers: () => ({ model: openOffline }) })
