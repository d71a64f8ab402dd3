import type { App } from '../app.ts'
import type { Route } from '../ground/access/index.ts'
import { type Demo, demoRoutes } from '../surfaces/demo/index.ts'
import { openDemo } from './demo.ts'
import { openOn } from './open-on.ts'
import { developmentScreen } from './screen.ts'
import { exitWith, type StartUp, settingsOrExit } from './start-up.ts'
import { stopOnSignal } from './stop.ts'

export async function serve(): Promise<void> {
  const startUp = settingsOrExit()
  const demo = demoOf(startUp)
  const { app, database } = await openOn(startUp, demo.routes)
  if (startUp.settings.work.inProcess) app.startWork()
  else if (database.engine === 'embedded') startUp.log.warn({}, NOBODY_WORKS)
  const { port } = await listen(app.server, startUp)
  stopOnSignal(app, database, startUp)
  const hasDemo = await demo.open(app, port)
  announce(startUp, port, hasDemo)
}

type DemoParts = { readonly routes: readonly Route[]; open(app: App, port: number): Promise<boolean> }

/** The pretend shop of Development, for this machine only: its desk asks nobody who they are. */
function demoOf({ settings, log }: StartUp): DemoParts {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(settings.http.host)
  if (settings.environment !== 'Development' || !settings.demo.enabled || !isLocal) {
    return { routes: [], open: async () => false }
  }
  let running: Demo | undefined
  return {
    routes: demoRoutes(() => running),
    async open(app, port) {
      try {
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

const NOBODY_WORKS =
  'Work:InProcess is false, and no other process can share the embedded database: nothing expires and no event is sent.'

async function listen(server: App['server'], { settings }: StartUp): Promise<{ port: number }> {
  const { host, port } = settings.http
  try {
    await server.listen({ host, port })
  } catch (error) {
    const inUse = (error as { code?: string }).code === 'EADDRINUSE'
    exitWith(
      inUse ? `Port ${port} is taken on ${host}. Stop what uses it, or choose another with PORT=${port + 1}.` : error,
    )
  }
  const address = server.server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : port }
}

function announce({ settings, sources, log }: StartUp, port: number, hasDemo: boolean): void {
  if (settings.environment === 'Development')
    process.stdout.write(developmentScreen({ settings, sources, port, hasDemo }))
  else log.info({ port, url: settings.http.publicUrl }, 'Tether is ready.')
}
