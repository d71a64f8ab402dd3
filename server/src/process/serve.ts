import type { App } from '../app.ts'
import type { OpenDemo } from './demo.ts'
import { demoOf } from './demo-beside.ts'
import { openOn } from './open-on.ts'
import { developmentScreen, shopUrl, urlAt } from './screen.ts'
import { exitWith, type StartUp, settingsOrExit } from './start-up.ts'
import { stopOnSignal } from './stop.ts'

/** `--tell-parent`: whoever started this process hears over its channel where everything is, and takes the process along when it ends. */
export async function serve(words: readonly string[]): Promise<void> {
  const tell = words.includes('--tell-parent') ? process.send?.bind(process) : undefined
  const { startUp, speak } = quietUntilReady(settingsOrExit())
  const demo = demoOf(startUp)
  const { app, database } = await openOn(startUp, demo.routes)
  const { port } = await listen(app.server, startUp)
  if (startUp.settings.work.inProcess) app.startWork()
  else if (database.engine === 'embedded') startUp.log.warn({}, NOBODY_WORKS)
  stopOnSignal(app, database, startUp)
  const opened = await demo.open(app, port)
  speak()
  if (tell === undefined) return announce(startUp, port, opened)
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  tell(readiness(startUp, port, opened))
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

function announce({ settings, sources, log }: StartUp, port: number, demo: OpenDemo | null): void {
  if (settings.environment === 'Development') process.stdout.write(developmentScreen({ settings, sources, port, demo }))
  else log.info({ port, url: settings.http.publicUrl }, 'Tether is ready.')
}

/** For `tether dev`, which says it in its own words. */
function readiness({ settings }: StartUp, port: number, demo: OpenDemo | null) {
  const url = urlAt(settings.http, port)
  const { signInLink, workshopUrl } = demo ?? {}
  return { ready: true, url, demo: demo === null ? null : { shopUrl: shopUrl(url), signInLink, workshopUrl } }
}
