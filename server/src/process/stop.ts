import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { Database } from '../kernel/db/index.ts'
import type { StartUp } from './start-up.ts'

// A terminal sends Ctrl-C to npm and to us, and npm passes its own on to us at once. That is one wish, not two.
const ECHO_MS = 500

/** Stops accepting, finishes running requests within a limit, writes what is queued, and closes the database. */
export function stopOnSignal(app: App, database: Database, { settings, log }: StartUp): void {
  let stoppingSince: number | undefined
  const stop = async (signal: string) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < ECHO_MS) return
      log.warn({ signal }, 'Received a second signal. Stopping at once.')
      process.exit(1)
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'Stopping. Running requests are finished first.')
    app.drain()
    // A worker has no port, so no balancer has to notice.
    if (app.server.server.listening) await pause(settings.http.drainSeconds * 1000)
    const cut = setTimeout(() => {
      log.warn(
        { seconds: settings.http.shutdownSeconds },
        'Some requests did not finish in time. Their connections were closed.',
      )
      app.server.server.closeAllConnections()
    }, settings.http.shutdownSeconds * 1000)
    // A connection becomes idle when its last request ends, and would then stay open for another.
    const idle = setInterval(() => app.server.server.closeIdleConnections(), 100)
    await app.close()
    clearInterval(idle)
    clearTimeout(cut)
    await database.close()
    log.info({}, 'Stopped.')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  const fail = (error: unknown) => {
    // The state of the process is unknown now, so we exit and expect to be started again.
    log.error({ error }, 'Nothing caught this error. The process exits.')
    process.exit(1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}
