import { defineModule } from '../../module.ts'
import { declaredUpstream, openUpstreams, sealedCredentials, type Upstreams, upstreamRoutes } from './index.ts'

export const upstreams = defineModule<Upstreams>({
  name: 'upstreams',
  offers: (parts) => ({
    tools: {
      declaredUpstream,
      proxy: {
        addressOf: (ctx, tool) => parts().transport.addressOf(ctx, tool),
        send: (ctx, call, signal) => parts().transport.send(ctx, call, signal),
      },
    },
  }),
  sealed: [sealedCredentials],
  open({ house }) {
    const parts = openUpstreams(house)
    return { parts, jobs: parts.duties }
  },
  routes: upstreamRoutes,
})
