import { defineModule } from '../../module.ts'
import { openOffline } from './index.ts'

export const offline = defineModule({ name: 'offline', offers: () => ({ model: openOffline }) })
