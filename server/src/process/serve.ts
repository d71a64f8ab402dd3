import type { App } from '../app.ts'
import { demoOf } from './demo-beside.ts'
import { openOn } from './open-on.ts'
import { developmentScreen } from './screen.ts'
import { exitWith, type StartUp, settingsOrExit } from './start-up.ts'
import { stopOnSignal } from './stop.ts'

export async function serve(): Promise<void> {
  const { startUp, speak } = quietUntilReady(settingsOrExit())
  const demo = demoOf(startUp)
  const { app, database } = await openOn(startUp, demo.routes)
  const { port } = await listen(app.server, startUp)
  if (startUp.settings.work.inProcess) app.startWork()
  else if (database.engine === 'embedded') startUp.log.warn({}, NOBODY_WORKS)
  stopOnSignal(app, database, startUp)
  const signInLink = await demo.open(app, port)
  speak()
  announce(startUp, port, signInLink)
}

/** The demo sends requests to set itself up. Their log lines would only confuse a newcomer, so we hide them. */
function quietUntilReady(startUp: StartUp): { startUp: StartUp; speak: () => void } {
  const { log, settings } = startUp
  let quiet = settings.environment === 'Development'
  const info: StartUp['log']['info'] = (fields, message) =>
    quiet ? log.debug(fields, message) : log.info(fields, message)
  const speak = () => {
    quiet = false
  }
  return { startUp: { ...startUp, log: { ...log, info } }, speak }
}

const NOBODY_WORKS =
  'Work:InProcess is false, and no other process can use the embedded database, so nothing expires and no event is sent. ' +
  'Set Work:InProcess to true, or use PostgreSQL and run `npm run work`.'

async function listen(server: App['server'], { settings }: StartUp): Promise<{ port: number }> {
  const { host, port } = settings.http
  try {
    await server.listen({ host, port })
  } catch (error) {
    const inUse = (error as { code?: string }).code === 'EADDRINUSE'
    exitWith(inUse ? `Port ${port} is in use on ${host}. Stop the other process, or set PORT=${port + 1}.` : error)
  }
  const address = server.server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : port }
}

function announce({ settings, sources, log }: StartUp, port: number, signInLink: string | null): void {
  if (settings.environment === 'Development')
    process.stdout.write(developmentScreen({ settings, sources, port, signInLink }))
  else log.info({ port, url: settings.http.publicUrl }, 'Tether is ready.')
}
