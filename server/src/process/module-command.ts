import { MODULES } from '../modules.ts'
import { openOn } from './open-on.ts'
import { settingsOrExit } from './start-up.ts'

/** Runs a command that a module brings. */
export async function runModuleCommand(name: string, ownCommands: readonly string[]): Promise<void> {
  const commands = new Map(MODULES.flatMap((one) => Object.entries(one.commands ?? {})))
  const command = commands.get(name)
  if (command === undefined) {
    const choice = [...ownCommands, ...commands.keys()].join(', ')
    process.stderr.write(`There is no command "${name}". Choose one of: ${choice}.\n`)
    process.exit(1)
  }
  process.exitCode = await command(process.argv.slice(3), async () => {
    const { app, database } = await openOn(settingsOrExit(process.stderr))
    const close = async () => {
      await app.close()
      await database.close()
    }
    return { house: app.house, rooms: app.rooms, close }
  })
}
