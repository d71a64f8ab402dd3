// The reporter of every test run. It prints each failure when it happens, and ends with the skipped tests, the failures with the command
// that repeats each of them, and the counts. With TEST_VERBOSE=1 it also prints every test and what the test files write.
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What `runTests` passes to the reporter through the environment. */
export type ReportOptions = {
  /** The command of this run. It repeats one test when the file and `--name` follow. */
  readonly command: string
  readonly verbose: boolean
  /** The test files behind each entry that the runner starts. An entry that is not listed is a test file itself. */
  readonly entries: Readonly<Record<string, readonly string[]>>
}

type Failure = { readonly file: string; readonly test: string; readonly error: string; readonly rerun: string }
type NamedTest = { readonly name: string; readonly parent: NamedTest | undefined }

/** @types/node lacks `entryFile`: the entry that the event came from. It is absent where the event is about the entry itself. */
type FromEntry<Data> = Data & { readonly entryFile?: string }

/** Longer than any single test may take, so a run that is silent for this long hangs. */
const MAX_SILENCE_MS = 20 * 60_000
const MAX_KEPT_OUTPUT = 20_000

export class TestReport {
  readonly #options: ReportOptions
  readonly #failures: Failure[] = []
  readonly #skipped = new Map<string, string[]>()
  /** By entry, then by the id of the test. */
  readonly #known = new Map<string, Map<number, NamedTest>>()
  readonly #running = new Map<string, Set<string>>()
  readonly #output = new Map<string, string>()
  #passed = 0

  constructor(options: ReportOptions) {
    this.#options = options
  }

  get counts(): { passed: number; failed: number } {
    return { passed: this.#passed, failed: this.#failures.length }
  }

  /** False for a name that no test has. */
  get ranAny(): boolean {
    return this.#passed + this.#failures.length + this.#skipped.size > 0
  }

  /** Takes one event and returns what to print. */
  take({ type, data }: TestEvent): string {
    if (type === 'test:dequeue') this.#start(data)
    if (type === 'test:complete') return this.#complete(data)
    if (type === 'test:stdout' || type === 'test:stderr') return this.#write(data)
    if (type === 'test:diagnostic' && this.#options.verbose && data.file !== undefined) return `ℹ ${data.message}\n`
    return ''
  }

  end(): string {
    const skipped = [...this.#skipped].map(
      ([reason, tests]) => `  ${reason}\n${tests.map((test) => `    ${test}\n`).join('')}`,
    )
    const failed = this.#failures.map(
      ({ file, test, error, rerun }) => `  ${file}\n    ${test}\n      ${error}\n      ${rerun}\n`,
    )
    return [
      skipped.length === 0 ? '' : `Skipped:\n${skipped.join('')}`,
      failed.length === 0 ? '' : `Failed:\n${failed.join('')}`,
      `${this.#passed} passed, ${this.#failures.length} failed\n`,
    ].join('')
  }

  /** Names what a silent run waits for. */
  describeRunning(): string {
    const lines = [...this.#running].map(([entry, names]) => `  ${this.#filesOf(entry)}: ${[...names].join(' › ')}\n`)
    return `No test ended for ${MAX_SILENCE_MS / 60_000} minutes. Still running:\n${lines.join('')}`
  }

  #filesOf(entry: string): readonly string[] {
    return this.#options.entries[entry] ?? [path.relative(process.cwd(), entry)]
  }

  #start({ entryFile, file = '', testId, parentId, name }: FromEntry<EventData.TestDequeue>): void {
    const entry = entryFile ?? file
    const names = this.#running.get(entry) ?? new Set()
    this.#running.set(entry, names.add(name))
    if (entryFile === undefined) return
    const known = this.#known.get(entry) ?? new Map<number, NamedTest>()
    this.#known.set(entry, known.set(testId, { name, parent: known.get(parentId ?? 0) }))
  }

  #complete(data: FromEntry<EventData.TestComplete>): string {
    const { entryFile, file = '', details, name, testId, skip, todo } = data
    this.#running.get(entryFile ?? file)?.delete(name)
    if (entryFile === undefined) return this.#completeEntry(file, data)
    // A parent that fails only through its children adds nothing to them.
    if (failureType(details.error) === 'subtestsFailed') return ''
    const at = this.#locate(entryFile, testId, name)
    const label = [at.file, ...at.names].join(' › ')
    if (skip !== undefined && skip !== false) {
      const reason = typeof skip === 'string' && skip !== '' ? skip : 'without a reason'
      this.#skipped.set(reason, [...(this.#skipped.get(reason) ?? []), label])
      return ''
    }
    if (details.error !== undefined && !details.passed && !todo) return this.#fail([at.file], at.names, details.error)
    if (details.type === 'suite') return ''
    this.#passed++
    return this.#options.verbose ? `✔ ${label} (${details.duration_ms.toFixed(0)} ms)\n` : ''
  }

  /** The file of a test, and its names from the outermost test inwards. In a shared process, the outermost suite is the file. */
  #locate(entry: string, testId: number, name: string): { file: string; names: string[] } {
    const names = [name]
    for (let { parent } = this.#known.get(entry)?.get(testId) ?? {}; parent !== undefined; parent = parent.parent)
      names.unshift(parent.name)
    const files = this.#filesOf(entry)
    const [outermost = '', ...inner] = names
    return files.length > 1 && files.includes(outermost)
      ? { file: outermost, names: inner }
      : { file: files[0] ?? '', names }
  }

  #fail(files: readonly string[], names: readonly string[], error: Error): string {
    // Node wraps the error that a test threw in another error.
    const cause: unknown = error.cause ?? error
    const text = cause instanceof Error ? inspect(cause) : String(cause)
    const message = cause instanceof Error ? cause.message : text
    const [file, test] = [files.join(' '), names.join(' › ')]
    const name = names[0] === undefined ? [] : ['--name', quoteForShell(names[0])]
    const rerun = [this.#options.command, ...files.map(quoteForShell), ...name].join(' ')
    this.#failures.push({ file, test, error: firstLine(message) || firstLine(text), rerun })
    return `✖ ${[file, ...names].join(' › ')}\n${indent(text, '  ')}\n`
  }

  /** A process that fails without a failing test crashed, or threw outside its tests. */
  #completeEntry(entry: string, { details, name }: EventData.TestComplete): string {
    const written = (this.#output.get(name) ?? '').trimEnd()
    this.#output.delete(name)
    this.#running.delete(entry)
    this.#known.delete(entry)
    if (details.passed || details.error === undefined) return ''
    const shown = written === '' ? '' : `${indent(written, '  | ')}\n`
    if (failureType(details.error) === 'subtestsFailed') return shown
    const signal: unknown = Reflect.get(details.error, 'signal')
    const ending = signal ?? `exit code ${Reflect.get(details.error, 'exitCode')}`
    const error = new Error('', { cause: `The process ended with ${ending}, outside any test.` })
    return `${this.#fail(this.#filesOf(entry), [], error)}${shown}`
  }

  #write({ file = '', message }: EventData.TestStdout | EventData.TestStderr): string {
    if (this.#options.verbose) return message
    this.#output.set(file, `${this.#output.get(file) ?? ''}${message}`.slice(-MAX_KEPT_OUTPUT))
    return ''
  }
}

const failureType = (error: Error | undefined): unknown =>
  error === undefined ? undefined : Reflect.get(error, 'failureType')

const quoteForShell = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? ''

const indent = (text: string, by: string): string => text.replaceAll(/^/gm, by)

function optionsFromEnvironment(): ReportOptions {
  const { TEST_COMMAND = 'npm test', TEST_VERBOSE, TEST_ENTRIES } = process.env
  const entries = TEST_ENTRIES === undefined ? {} : JSON.parse(readFileSync(TEST_ENTRIES, 'utf8'))
  return { command: TEST_COMMAND, verbose: TEST_VERBOSE === '1', entries }
}

/** The runner imports this. */
export default async function* reportTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const report = new TestReport(optionsFromEnvironment())
  const giveUp = (): void => {
    process.stdout.write(report.describeRunning())
    // The runner ends its processes on this signal.
    process.kill(process.pid, 'SIGTERM')
  }
  let watch = setTimeout(giveUp, MAX_SILENCE_MS)
  for await (const event of events) {
    clearTimeout(watch)
    watch = setTimeout(giveUp, MAX_SILENCE_MS)
    yield report.take(event)
  }
  clearTimeout(watch)
  yield report.end()
  if (!report.ranAny) {
    yield 'No test has this name.\n'
    process.exitCode = 1
  }
  if (process.env.TEST_TALLY !== undefined) appendFileSync(process.env.TEST_TALLY, `${JSON.stringify(report.counts)}\n`)
}
