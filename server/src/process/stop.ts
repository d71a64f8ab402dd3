import type { App } from '../app.ts'
import type { Database } from '../foundation/db/index.ts'
import type { StartUp } from './start-up.ts'

/** Stops accepting, finishes what runs (bounded), writes down what waits, closes the database, in that order. */
export function stopOnSignal(app: App, database: Database, { settings, log }: StartUp): void {
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) {
      log.warn({ signal }, 'Asked to stop again: stopping at once.')
      process.exit(1)
    }
    stopping = true
    log.info({ signal }, 'Stopping: finishing the requests that run.')
    const cut = setTimeout(() => {
      log.warn(
        { seconds: settings.http.shutdownSeconds },
        'Some requests did not finish in time; their connections are closed.',
      )
      app.server.server.closeAllConnections()
    }, settings.http.shutdownSeconds * 1000)
    // A connection whose last request ran until now is idle only then, and would be kept for the next one.
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
    // The state of the process is unknown now: whoever runs it starts a new one.
    log.error({ error }, 'An error that nobody caught: the process ends.')
    process.exit(1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}
