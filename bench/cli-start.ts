// How soon the CLI is there: from the start of its process to its end, as a ratio to a Node that does nothing. One of the two
// commands says what there is, and the other reads a catalog and finds that it is not JSON; neither asks the service.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ROOT } from './parts/child.ts'
import { judged, say } from './parts/report.ts'
import { median, ratioOf, takeTurns } from './parts/rounds.ts'

const AT_MOST = 5
const folder = mkdtempSync(path.join(os.tmpdir(), 'tether-bench-'))
writeFileSync(path.join(folder, 'tools.json'), '[')
const binary = path.join(ROOT, 'cli/dist/tether.js')

function starting(words: readonly string[], code: number) {
  return async (): Promise<number> => {
    const started = performance.now()
    const { status, signal } = spawnSync(process.execPath, words, { cwd: folder, stdio: 'ignore' })
    if (status !== code) throw new Error(`${words.join(' ')} ended with ${status ?? signal}.`)
    return performance.now() - started
  }
}

try {
  const took = await takeTurns(
    {
      nothing: starting(['-e', '0'], 0),
      help: starting([binary, 'help'], 0),
      validate: starting([binary, 'validate'], 1),
    },
    { rounds: 25, warmUpRounds: 2 },
  )
  const row = (name: 'help' | 'validate') =>
    judged(
      `tether ${name}`,
      ratioOf(took[name], took.nothing),
      { atMost: AT_MOST },
      {
        ms: Math.round(median(took[name])),
        nodeMs: Math.round(median(took.nothing)),
      },
    )
  say({
    bench: 'cli-start',
    promise: 'The CLI is there within 5 times the time that a Node takes which does nothing',
    results: [row('help'), row('validate')],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
