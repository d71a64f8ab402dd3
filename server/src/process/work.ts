import { openOn } from './open-on.ts'
import { settingsOrExit } from './start-up.ts'
import { stopOnSignal } from './stop.ts'

/** Runs only the regular work and opens no port. Any number of these may run beside the processes that serve. */
export async function work(): Promise<void> {
  const startUp = settingsOrExit()
  const { app, database } = await openOn(startUp)
  app.startWork()
  stopOnSignal(app, database, startUp)
  startUp.log.info({ duties: app.duties.map(({ name }) => name) }, 'Tether is working.')
}
