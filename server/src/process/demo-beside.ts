import type { Demo } from '../api/demo/index.ts'
import type { App } from '../app.ts'
import type { Route } from '../tenancy/access/index.ts'
import type { OpenDemo } from './demo.ts'
import type { StartUp } from './start-up.ts'

type DemoBeside = {
  /** Loads while the database opens. */
  routes(): Promise<readonly Route[]>
  /** Opens the demo once the service listens. Null where there is none. */
  open(app: App, port: number): Promise<OpenDemo | null>
}

const NONE: DemoBeside = { routes: async () => [], open: async () => null }

/** The pretend shop of Development. It is for this machine only, because anybody may sign in as its customer. */
export function demoOf({ settings, log }: StartUp): DemoBeside {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(settings.http.host)
  if (settings.environment !== 'Development' || !settings.demo.enabled || !isLocal) return NONE
  let running: Demo | undefined
  return {
    async routes() {
      const { demoRoutes } = await import('../api/demo/index.ts')
      return demoRoutes(() => running)
    },
    async open(app, port) {
      try {
        const { openDemo } = await import('./demo.ts')
        const demo = await openDemo(app, port)
        running = demo
        return demo
      } catch (error) {
        // The service runs without its demo, which may not suit somebody's own settings.
        log.warn(
          { error },
          'The demo did not open. The service runs without it; Demo:Enabled=false stops this message.',
        )
        return null
      }
    },
  }
}
