import { openOn } from './open-on.ts'
import { settingsOrExit } from './start-up.ts'
import { stopOnSignal } from './stop.ts'

/** Only the regular work, without a port: beside processes that serve, as many as there is work for. */
export async function work(): Promise<void> {
  const startUp = settingsOrExit()
  const { app, database } = await openOn(startUp)
  app.startWork()
  stopOnSignal(app, database, startUp)
  startUp.log.info({ duties: app.duties.map(({ name }) => name) }, 'Tether works.')
}
