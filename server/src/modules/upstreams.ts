import {
  declaredUpstream,
  resealUpstreams,
  upstreamDuties,
  upstreamRoutes,
  upstreamTransport,
} from '../features/upstreams/index.ts'
import { defineModule } from '../module.ts'

export const upstreams = defineModule({
  name: 'upstreams',
  offers: { tools: { proxy: upstreamTransport, declaredUpstream } },
  sealed: [resealUpstreams],
  open: ({ house }) => ({ parts: undefined, jobs: upstreamDuties(house) }),
  routes: () => upstreamRoutes,
})
