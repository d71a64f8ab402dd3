import { defineModule } from '../../module.ts'
import { listeningDuties, listeningRoutes, openListeners } from './index.ts'

export const listening = defineModule({
  name: 'listening',
  open({ house, shared, spends }) {
    const listeners = openListeners(house, shared)
    const parts = { listeners, prove: spends.signed }
    return { parts, jobs: listeningDuties(house), drain: listeners.drain, letGo: listeners.close }
  },
  routes: listeningRoutes,
})
