// `npm run check`: everything about the code that can be held without running it. Seconds, and no database but an empty one.
import { spawn } from 'node:child_process'
import { biome } from './biome.ts'

type Outcome = { name: string; faults: string; ms: number }

// TypeScript 7 checks the types in a third of the time that 6 takes. Scripts that use the compiler's API stay on 6: 7 has no such API yet.
const TSC = 'node_modules/typescript-7/bin/tsc'

const STEPS: readonly [name: string, command: string, ...args: string[]][] = [
  ['types', 'node', TSC],
  ['types of the widget', 'node', TSC, '-p', 'widget'],
  ['types of its tests', 'node', TSC, '-p', 'widget/testing'],
  ['lint and format', biome, 'check', '.'],
  [
    'walls',
    'depcruise',
    '--no-progress',
    '--cache',
    'node_modules/.cache/depcruise',
    '--cache-strategy',
    'content',
    'action',
    'cli',
    'contract',
    'server',
    'sdk',
    'demo',
    'widget',
    'bench',
    'scripts',
  ],
  ['types of SQL', 'node', 'scripts/statement-types.ts'],
  ['keys from outside', 'node', 'scripts/outside-keys.ts'],
  ['house rules', 'node', 'scripts/house-rules.ts'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
]

function run([name, command, ...args]: (typeof STEPS)[number]): Promise<Outcome> {
  const start = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const pieces: Buffer[] = []
    child.stdout.on('data', (piece) => pieces.push(piece))
    child.stderr.on('data', (piece) => pieces.push(piece))
    const end = (failed: boolean) => {
      const faults = failed ? Buffer.concat(pieces).toString().trim() || 'failed without a word' : ''
      resolve({ name, faults, ms: performance.now() - start })
    }
    child.on('error', () => end(true))
    child.on('close', (code) => end(code !== 0))
  })
}

const outcomes = await Promise.all(STEPS.map(run))
for (const { name, faults, ms } of outcomes) {
  console.log(`${faults === '' ? '✔' : '✖'} ${name} (${(ms / 1000).toFixed(1)} s)`)
  if (faults !== '') console.log(`${faults}\n`)
}
const failed = outcomes.filter(({ faults }) => faults !== '').length
console.log(failed === 0 ? 'The house is in order.' : `${failed} of ${outcomes.length} checks failed.`)
process.exitCode = failed === 0 ? 0 : 1
