import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

const TESTS = '{contract,server,sdk,demo,widget,bench,scripts}/**/*.test.ts'

export const testFiles = (): string[] => globSync(TESTS, { exclude: ['**/node_modules/**'] }).sort()

/** Runs test files with Node's own runner and answers its exit code. */
export function runTests(
  files: readonly string[],
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--test', '--test-reporter=spec', ...flags, ...files], {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}
