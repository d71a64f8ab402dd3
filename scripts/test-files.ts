import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const TESTS = '{action,cli,contract,server,sdk,demo,widget,bench,scripts}/**/*.test.ts'

export const testFiles = (): string[] => globSync(TESTS, { exclude: ['**/node_modules/**'] }).sort()

/** All of them, or those whose path contains one of the words. */
export const wantedFiles = (words: readonly string[]): string[] =>
  testFiles().filter((file) => words.length === 0 || words.some((word) => file.includes(word)))

// By itself the runner leaves one processor free, which on two of them is half of the machine. Many files wait for processes that
// they start, so that three at a time keep two processors busy.
const AT_ONCE = `--test-concurrency=${Math.max(3, availableParallelism() - 1)}`

// What one process has compiled the next one reads, which is a third of its processor time. Node checks each entry against its source.
const COMPILED = path.resolve(import.meta.dirname, '../node_modules/.cache/tether-tests')

// The embedded database is WebAssembly. A process of a few seconds spends more on compiling it a second time, optimized, than that
// code saves: without, a file takes a fifth less of the processors.
const BASELINE_WASM = '--liftoff-only'

/** Runs test files with Node's own runner, each in a process of its own, and answers its exit code. */
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

// More save little: what a process has to load is a tenth of what these files do then.
const TOGETHER = 6

/** Runs test files as `runTests` does, those that may share a process with a few others. */
export async function runTestsTogether(files: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-together-'))
  try {
    return await runTests(
      processesOf(files).map((together, at) => writeEntry(path.join(folder, entryName(together, at)), together)),
      env,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The runner takes files in the order of their names, and names the one whose process dies. */
function entryName([first = '', ...others]: readonly string[], at: number): string {
  const company = others.length === 0 ? '' : `-and-${others.length}-more`
  return `${String(at).padStart(3, '0')}-${first.replaceAll('/', '-').replace(/\.test\.ts$/, company)}.test.mjs`
}

export function writeEntry(entry: string, together: readonly string[]): string {
  const url = (file: string): string => JSON.stringify(pathToFileURL(path.resolve(file)).href)
  const [only = '', ...others] = together
  const runner = url(path.join(import.meta.dirname, 'tests-together.ts'))
  writeFileSync(
    entry,
    others.length === 0
      ? `import ${url(only)}\n`
      : `import { runTogether } from ${runner}\nrunTogether(${JSON.stringify(together)})\n`,
  )
  return entry
}

/** The longest files are alone, so they begin first: at the end of a run of several at once, a long one would go on by itself. */
function processesOf(files: readonly string[]): string[][] {
  const [sharing, alone] = [files.filter(mayShare), files.filter((file) => !mayShare(file))]
  const shared = Array.from({ length: Math.ceil(sharing.length / TOGETHER) }, (_, at) =>
    sharing.slice(at * TOGETHER, (at + 1) * TOGETHER),
  )
  return [...alone.map((file) => [file]), ...shared]
}

const MAY_SHARE = /^server\/src\/(?:features|ground|surfaces)\//

// What a process has once: its environment, its faults, its memory, the time of its thread, and its list of statements; and what waits
// before the first test.
const OF_ITS_PROCESS =
  /\bprocess\.(?!env\.TEST_)|\bmock\.|\ballStatements\b|node:(?:child_process|perf_hooks|worker_threads|v8|vm)'|testkit\/(?:processor|stopwatch)\.ts'|^(?:const|let) .*= await /m

const mayShare = (file: string): boolean => MAY_SHARE.test(file) && !OF_ITS_PROCESS.test(readFileSync(file, 'utf8'))
