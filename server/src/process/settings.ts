import { describeFaults, describeSettings, readSettings } from '../settings/index.ts'

export function printSettings(): void {
  const loaded = readSettings()
  process.stdout.write(`${describeSettings(loaded)}\n`)
  if (loaded.ok) return
  process.stderr.write(`\n${describeFaults(loaded)}\n`)
  process.exitCode = 1
}
