import type { App } from '../app.ts'
import type { Route } from '../ground/access/index.ts'
import type { Demo } from '../surfaces/demo/index.ts'
import type { StartUp } from './start-up.ts'

export type DemoBeside = {
  /** Loaded while the database opens. */
  routes(): Promise<readonly Route[]>
  /** Once the service listens. Whether there is a demo now. */
  open(app: App, port: number): Promise<boolean>
}

const NONE: DemoBeside = { routes: async () => [], open: async () => false }

/** The pretend shop of Development, for this machine only: its desk asks nobody who they are. */
export function demoOf({ settings, log }: StartUp): DemoBeside {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(settings.http.host)
  if (settings.environment !== 'Development' || !settings.demo.enabled || !isLocal) return NONE
  let running: Demo | undefined
  return {
    async routes() {
      const { demoRoutes } = await import('../surfaces/demo/index.ts')
      return demoRoutes(() => running)
    },
    async open(app, port) {
      try {
        const { openDemo } = await import('./demo.ts')
        running = await openDemo(app, port)
        return true
      } catch (error) {
        // Somebody's own settings may not suit it; the service is not the demo.
        log.warn({ error }, 'The demo did not open.')
        return false
      }
    },
  }
}
