import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'

const TESTS = '{action,cli,contract,server,sdk,demo,widget,bench,scripts}/**/*.test.ts'

export const testFiles = (): string[] => globSync(TESTS, { exclude: ['**/node_modules/**'] }).sort()

/** All of them, or those whose path contains one of the words. */
export const wantedFiles = (words: readonly string[]): string[] =>
  testFiles().filter((file) => words.length === 0 || words.some((word) => file.includes(word)))

// By itself the runner leaves one processor free, which on two of them is half of the machine. Many files wait for processes that
// they start, so that three at a time keep two processors busy.
const AT_ONCE = `--test-concurrency=${Math.max(3, availableParallelism() - 1)}`

// Every file is a process of its own and compiles what it imports. What one has compiled the next one reads, which is a third of
// its processor time. Node checks each entry against its source.
const COMPILED = path.resolve(import.meta.dirname, '../node_modules/.cache/tether-tests')

// The embedded database is WebAssembly. A process of a few seconds spends more on compiling it a second time, optimized, than that
// code saves: without, a file takes a fifth less of the processors.
const BASELINE_WASM = '--liftoff-only'

/** Runs test files with Node's own runner and answers its exit code. */
export function runTests(
  files: readonly string[],
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [BASELINE_WASM, '--test', '--test-reporter=spec', AT_ONCE, ...flags, ...files],
      {
        stdio: 'inherit',
        env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env },
      },
    )
    child.on('close', (code) => resolve(code ?? 1))
  })
}
