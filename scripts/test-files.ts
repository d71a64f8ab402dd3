import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { findFiles } from './files.ts'
import type { TestOptions } from './test-options.ts'

const TESTS = '{action,cli,contract,server,sdk,demo,widget,bench,scripts}/**/*.test.ts'

export const testFiles = (): string[] => findFiles(TESTS)

// Files that start processes use a quarter of one processor, the others nearly all of one. With two of them more than processors, and
// both kinds spread over the run, two processors stay busy.
const AT_ONCE = `--test-concurrency=${availableParallelism() + 2}`

// What one process has compiled the next one reads, which is a third of its processor time. Node checks each entry against its source.
const COMPILED = path.resolve(import.meta.dirname, '../node_modules/.cache/tether-tests')

// Other processes of the run keep all processors busy, so helper threads of the garbage collector only take turns with them.
const COLLECT_IN_PLACE = '--single-threaded-gc'

/** A test that takes longer fails under its own name. A busy machine takes ten times as long as a quiet one. */
const TEST_TIMEOUT_MS = 10 * 60_000

export type TestRun = {
  readonly files: readonly string[]
  /** The command of this run without its files. The report repeats a test with it. */
  readonly command: string
  readonly env?: Record<string, string>
  readonly flags?: readonly string[]
  /** The test files behind each of `files`, where that is an entry of several. */
  readonly entries?: Readonly<Record<string, readonly string[]>>
}

/** Runs test files with Node's own runner, each in its own process, and returns the exit code of the run. */
export async function runTests(
  { files, command, env, flags = [], entries = {} }: TestRun,
  options: TestOptions,
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-report-'))
  const listed = path.join(folder, 'entries.json')
  writeFileSync(listed, JSON.stringify(entries))
  const report = { TEST_COMMAND: command, TEST_ENTRIES: listed, ...(options.verbose ? { TEST_VERBOSE: '1' } : {}) }
  const named = options.name === undefined ? [] : [`--test-name-pattern=^${escapeForRegExp(options.name)}$`]
  const args = [COLLECT_IN_PLACE, '--test', REPORTER, `--test-timeout=${TEST_TIMEOUT_MS}`, AT_ONCE, ...named, ...flags]
  const child = spawn(process.execPath, [...args, ...files], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...report, ...env },
  })
  try {
    const [code] = await once(child, 'close')
    return typeof code === 'number' ? code : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const REPORTER = `--test-reporter=${path.join(import.meta.dirname, 'test-report.ts')}`

const escapeForRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

// Loading the service and starting a database take 1.6 s of processor time, as long as five tests. Files without a database load in
// 0.3 s. Two processors stay busy to the end of the run only with enough processes.
const FILES_PER_PROCESS = { service: 12, timed: 8, light: 16 } as const

/** Runs test files as `runTests` does. Those that may share a process run several in one. */
export async function runTestsTogether(run: TestRun, options: TestOptions): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-together-'))
  try {
    const entries = Object.fromEntries(
      processesOf(run.files).map((together, at) => [
        writeEntry(path.join(folder, entryName(together, at)), together),
        together,
      ]),
    )
    return await runTests({ ...run, files: Object.keys(entries), entries }, options)
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

/** The test files of each process, in the order in which they start. */
export function processesOf(files: readonly string[]): string[][] {
  const groups = Map.groupBy(files, groupOf)
  const alone = groups.get('alone') ?? []
  const shared = [...groups].flatMap(([group, members]) =>
    group === 'alone' ? [] : inChunks(members, FILES_PER_PROCESS[group]),
  )
  return spread(longFirst(alone.map((file) => [file])), longFirst(shared))
}

/** A long process that started last would run by itself. */
const longFirst = (processes: readonly string[][]): string[][] =>
  [...processes].sort((a, b) => Number(b.some(isLong)) - Number(a.some(isLong)))

function inChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/** Merges two lists so that each is spread evenly over the result. */
function spread<Item>(one: readonly Item[], other: readonly Item[]): Item[] {
  const placed = [one, other].flatMap((list) => list.map((item, at) => ({ item, at: at / list.length })))
  return placed.sort((a, b) => a.at - b.at).map(({ item }) => item)
}

/** Over 30 seconds on two quiet processors. */
const isLong = (file: string): boolean =>
  /\/(?:cli|claims|first-hour|listen|access-matrix|start|stop|try-it)\.test\.ts$/.test(file)

/** State that a process has once: its environment, memory and faults, its registry of statements. And awaits before the first test. */
const NEEDS_OWN_PROCESS =
  /\bprocess\.(?!env\.TEST_)|\bmock\.|\ballStatements\b|node:(?:child_process|perf_hooks|worker_threads|module|v8|vm)'|^(?:const|let) .*= await /m

/**
 * These test what a process does once: its demo, its engine, the databases that the testkit lends. The commands of the CLI are long, and
 * the walls over SQL load their parser with a top-level await, which `require` refuses.
 */
const TESTS_A_PROCESS =
  /^(?:cli\/src\/(?:cli|first-hour|import|listen)|scripts\/.*|server\/(?:src\/(?:process|kernel\/db)|testkit)\/.*|server\/src\/[^/]+)\.test\.ts$/

/** Files that measure processor time share only with each other, so that no open house of another file runs on their thread. */
const MEASURES_TIME = /testkit\/(?:processor|stopwatch)\.ts'/

const OPENS_SERVICE = /^server\/src\/(?!kernel\/(?!settings\/)|process\/)[^/]+\//

type Group = 'alone' | keyof typeof FILES_PER_PROCESS

function groupOf(file: string): Group {
  const text = readFileSync(file, 'utf8')
  if (TESTS_A_PROCESS.test(file) || NEEDS_OWN_PROCESS.test(text)) return 'alone'
  if (MEASURES_TIME.test(text)) return 'timed'
  return OPENS_SERVICE.test(file) ? 'service' : 'light'
}
