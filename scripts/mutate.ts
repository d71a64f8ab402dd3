// `npm run mutate -- --seed N --count 40 [PATHWORD…]`: changes the code in small ways, one at a time, and reports which of the
// changes no test notices. It runs in a copy of the working tree. CONTRIBUTING.md describes its options.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findFiles } from './files.ts'
import { type Importers, importDistances, readImporters } from './import-graph.ts'
import { applyMutant, drawMutants, type Mutant, mutantsOf } from './mutants.ts'

const MUTATED = 'server/src/*/*/**/*.ts'
const NOT_MUTATED = ['server/src/kernel/**', 'server/src/process/**']
/** Stands for the imports to a room that does not import the file. */
const FAR = 10
const NOT_SHIPPED = /\.test\.ts$|\/fixtures\//
/** A test file that takes longer hangs. */
const FILE_MS = 60_000

export type Verdict =
  | { readonly outcome: 'killed' | 'timed out'; readonly by: string }
  | { readonly outcome: 'survived'; readonly passed: number; readonly of: number }

/** The files to mutate: those whose path contains one of the words, or all. */
export const mutatedFiles = (words: readonly string[], root = '.'): string[] =>
  findFiles(MUTATED, { cwd: root, exclude: NOT_MUTATED }).filter(
    (file) => !NOT_SHIPPED.test(file) && (words.length === 0 || words.some((word) => file.includes(word))),
  )

/** The folder of a feature, or of another part of the server. */
const roomOf = (file: string): string => file.split('/').slice(0, 4).join('/')

/** These names do not say what a file is about. */
const COMMON_NAME = /^(?:index|routes|queries|duties|app)$/

/**
 * The test files that import a file, the nearest first: named like it or like a file that imports it, in its folder, in its room,
 * then those of other rooms by the imports between the file and the room.
 */
export function nearestTests(file: string, importers: Importers): string[] {
  const names = [file, ...(importers.get(file) ?? []), roomOf(file)]
    .map((named) => path.basename(named, '.ts'))
    .filter((name) => !COMMON_NAME.test(name) && !name.endsWith('.test'))
  const reached = [...importDistances(file, importers)]
  const rooms = new Map<string, number>()
  for (const [importer, imports] of reached)
    if (!NOT_SHIPPED.test(importer))
      rooms.set(roomOf(importer), Math.min(imports, rooms.get(roomOf(importer)) ?? imports))
  const detour = (test: string): number => {
    if (names.some((name) => path.basename(test).includes(name))) return 0
    if (path.dirname(test) === path.dirname(file)) return 2
    return 4 + 2 * (rooms.get(roomOf(test)) ?? FAR)
  }
  return reached
    .filter(([test]) => test.endsWith('.test.ts'))
    .map(([test, imports]) => ({ test, distance: imports + detour(test) }))
    .sort((one, other) => one.distance - other.distance || (one.test < other.test ? -1 : 1))
    .map(({ test }) => test)
}

/** Copies what git knows of the tree, with the changes that are not committed. Installed packages are linked, those of the tree copied. */
export function copyTree(root: string): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'tether-mutate-'))
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const deleted = execFileSync('git', ['ls-files', '-dz'], { cwd: root, encoding: 'utf8' }).split('\0')
  const gone = new Set(deleted)
  for (const file of listed.split('\0'))
    if (file !== '' && !gone.has(file)) cpSync(path.join(root, file), path.join(copy, file), { verbatimSymlinks: true })
  const packages = path.join(copy, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    const from = path.resolve(root, 'node_modules', name)
    if (name === '@tether') cpSync(from, path.join(packages, name), { recursive: true, verbatimSymlinks: true })
    else if (name !== '.cache') symlinkSync(from, path.join(packages, name))
  }
  return copy
}

type FileRun = 'passed' | 'failed' | 'timed out' | 'stopped'
type RunTestFile = (root: string, test: string, signal: AbortSignal) => Promise<FileRun>

/** Runs one test file in a new process group, which is killed at the end. */
function runTestFile(root: string, test: string, signal: AbortSignal): Promise<FileRun> {
  return new Promise((resolve) => {
    const args = ['--liftoff-only', '--test-reporter=dot', test]
    const child = spawn(process.execPath, args, {
      cwd: root,
      detached: true,
      stdio: 'ignore',
      env: { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/tests'), ...process.env },
    })
    let cut: FileRun | undefined
    const kill = (as: FileRun) => {
      cut ??= as
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended already.
      }
    }
    const timer = setTimeout(kill, FILE_MS, 'timed out')
    const stop = () => kill('stopped')
    signal.addEventListener('abort', stop)
    child.on('close', (code) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      const run = cut ?? (code === 0 ? 'passed' : 'failed')
      // What the test has started and not ended.
      kill('stopped')
      resolve(run)
    })
    if (signal.aborted) stop()
  })
}

/** The first test file that does not pass, or the files that passed before the time was up. */
async function firstFailure(
  run: (test: string, signal: AbortSignal) => Promise<FileRun>,
  tests: readonly string[],
  deadline: number,
) {
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), Math.max(0, deadline - performance.now()))
  const waiting = [...tests]
  const passed: string[] = []
  let failure: { readonly test: string; readonly end: 'failed' | 'timed out' } | undefined
  const work = async (): Promise<void> => {
    for (let test = waiting.shift(); test !== undefined && !ended.signal.aborted; test = waiting.shift()) {
      const end = await run(test, ended.signal)
      if (end === 'passed') passed.push(test)
      if (end !== 'failed' && end !== 'timed out') continue
      failure ??= { test, end }
      ended.abort()
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism() - 1) }, work))
  clearTimeout(timer)
  return { failure, passed }
}

/** Judges mutants in a copy of the tree. A test that fails without a mutant kills none. */
export function openJudge(root: string, seconds: number, run: RunTestFile = runTestFile) {
  const passesClean = new Map<string, boolean>()
  const { signal } = new AbortController()

  async function isReliable(test: string): Promise<boolean> {
    const known = passesClean.get(test)
    if (known !== undefined) return known
    const passes = (await run(root, test, signal)) === 'passed'
    passesClean.set(test, passes)
    return passes
  }

  return async function judge(mutant: Mutant, tests: readonly string[]): Promise<Verdict> {
    const file = path.join(root, mutant.file)
    const text = readFileSync(file, 'utf8')
    let left = tests.filter((test) => passesClean.get(test) !== false)
    const { length: of } = left
    const deadline = performance.now() + seconds * 1_000
    for (let all = 0; ; ) {
      writeFileSync(file, applyMutant(text, mutant))
      const { failure, passed } = await firstFailure((...one) => run(root, ...one), left, deadline).finally(() =>
        writeFileSync(file, text),
      )
      all += passed.length
      if (failure === undefined) return { outcome: 'survived', passed: all, of }
      const { test: by, end } = failure
      if (await isReliable(by)) return { outcome: end === 'failed' ? 'killed' : end, by }
      left = left.filter((test) => test !== by && !passed.includes(test))
    }
  }
}

const OPTIONS = {
  seed: { type: 'string' },
  count: { type: 'string', default: '40' },
  seconds: { type: 'string', default: '90' },
  changed: { type: 'boolean', default: false },
} as const

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** Files with uncommitted changes, and new files. */
const changedFiles = (): Set<string> =>
  new Set(`${git('diff', '--name-only', 'HEAD')}\n${git('ls-files', '-o', '--exclude-standard')}`.split('\n'))

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100)
const describe = ({ file, line, kind, from, to }: Mutant): string =>
  `${file}:${line} ${kind}: ${oneLine(from)} → ${oneLine(to)}`

function reasonFor(verdict: Verdict): string {
  if (verdict.outcome !== 'survived') return `by ${verdict.by}`
  const { passed, of } = verdict
  return passed === of ? `${of} test files passed` : `${passed} of ${of} test files passed before the time was up`
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  const changed = values.changed ? changedFiles() : undefined
  const files = mutatedFiles(positionals).filter((file) => changed?.has(file) ?? true)
  const seed = values.seed ?? git('rev-parse', '--short', 'HEAD')
  const mutants = files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
  const drawn = drawMutants(mutants, seed, Number(values.count))
  console.log(`${drawn.length} of ${mutants.length} mutants of ${files.length} files, seed ${seed}`)
  const importers = readImporters()
  const copy = copyTree('.')
  try {
    const judge = openJudge(copy, Number(values.seconds))
    let noticed = 0
    for (const mutant of drawn) {
      const verdict = await judge(mutant, nearestTests(mutant.file, importers))
      if (verdict.outcome !== 'survived') noticed++
      console.log(`${verdict.outcome.padEnd(9)} ${describe(mutant)} (${reasonFor(verdict)})`)
    }
    const percent = drawn.length === 0 ? 100 : Math.round((1000 * noticed) / drawn.length) / 10
    console.log(`${noticed} of ${drawn.length} mutants were noticed: ${percent} %`)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

if (import.meta.main) await main()
