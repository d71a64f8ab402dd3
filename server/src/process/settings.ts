import { describeFaults, describeSettings, readSettings } from '../kernel/settings/index.ts'
import { keyringOf } from './start-up.ts'

export function printSettings(): void {
  const loaded = readSettings()
  process.stdout.write(`${describeSettings(loaded)}\n`)
  if (loaded.ok) {
    const [current, ...previous] = keyringOf(loaded.settings).keyIds
    const others = previous.length === 0 ? '' : `, the previous ones are ${previous.join(', ')}`
    process.stdout.write(`The id of Encryption:Key is ${current}${others}. What a key has sealed carries its id.\n`)
    return
  }
  process.stderr.write(`\n${describeFaults(loaded)}\n`)
  process.exitCode = 1
}
