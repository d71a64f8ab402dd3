// The same on Workers, where nothing may be asked outside of a request. The receiver stands at its usual place, too.
import { receiver } from '@tether/sdk'
import { holds } from './checks.mjs'

const tools = receiver({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', tools: { ping: () => 'pong' } })

export default {
  async fetch(request) {
    if (request.method === 'POST') return await tools.fetch(request)
    return await holds({ mayListen: false }).then(
      (said) => new Response(said),
      (error) => new Response(String(error?.stack ?? error), { status: 500 }),
    )
  },
}
