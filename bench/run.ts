// `npm run bench` runs every bench of this folder, `npm run bench account-read` only that one. Each is a process of its own that
// prints one line of JSON; here the lines become a table. A promise that is not kept makes the run fail.
// What fills for minutes (`npm run bench years`, `npm run bench forget`, `npm run bench sweep`) runs only by its name.
// Where nobody named a PostgreSQL server (BENCH_DATABASE_URL) and one is installed, it is started for the time of the run.
// `BENCH_SMOKE=1 npm run bench` runs all of them, each with one small iteration (`parts/scale.ts`) and several at the same time. It
// judges no bound, and fails if a bench produces no figure or skips what this machine could run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '../scripts/private-postgres.ts'
import { benchServer } from './parts/postgres.ts'
import { isSmoke } from './parts/scale.ts'
import { smokeFault } from './parts/smoke-fault.ts'

const NO_BENCHES = ['run.ts', 'load.ts']
const LIMIT_MS = 180_000
/** These fill for minutes, and run only where they are named. */
const ALONE: Readonly<Record<string, number>> = { forget: 900_000, sweep: 600_000, years: 1_800_000 }
/** Of a run of all of them. What does not fit in is named, and runs alone. */
const WHOLE_LIMIT_MS = 355_000
const LEAST_MS = 30_000
const SMOKE_LIMIT_MS = 120_000

type Figures = Readonly<Record<string, unknown>>
type Row = {
  readonly what?: string
  readonly ratio?: number | null
  readonly quartiles?: readonly [number, number]
  readonly bound?: string
  readonly met?: boolean
  readonly figures?: Figures
}
/** What a bench prints. */
type Line = { readonly results?: readonly Row[]; readonly skipped?: string; readonly failed?: string }
type Ran = { readonly name: string; readonly seconds: number; readonly line: Line }

const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !NO_BENCHES.includes(file))
  .map((file) => path.basename(file, '.ts'))

const together = all.filter((name) => ALONE[name] === undefined)

function chosen(): string[] {
  const names = process.argv.slice(2)
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length === 0) return names.length > 0 ? names : isSmoke ? all : together
  console.error(`There is no bench ${unknown.join(', ')}. Choose from: ${all.join(', ')}.`)
  process.exit(2)
}

async function run(name: string, limitMs: number, server: string | undefined): Promise<Ran> {
  const started = performance.now()
  const child = spawn(process.execPath, [path.join(import.meta.dirname, `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(server === undefined ? {} : { BENCH_DATABASE_URL: server }) },
  })
  let [output, complaint] = ['', '']
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    complaint += text.toString()
  })
  let isLate = false
  const late = setTimeout(() => {
    isLate = child.kill('SIGTERM')
  }, limitMs)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(late)
  const seconds = Math.round((performance.now() - started) / 1000)
  const line = lineOf(output)
  if (code === 0 && line !== undefined) return { name, seconds, line }
  const why = isLate ? `cut off after ${seconds} s` : `ended with ${signal ?? `exit code ${code}`}`
  return { name, seconds, line: { ...line, failed: `${why}: ${complaint.trim().slice(-2000)}` } }
}

function lineOf(output: string): Line | undefined {
  try {
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Line
  } catch {
    return undefined
  }
}

const rowsOf = ({ name, line }: Ran): (Row & { name: string })[] =>
  (line.results ?? []).map((row) => ({ ...row, name }))

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const number = (value: number | null | undefined): string => value?.toFixed(2) ?? ''
const verdict = ({ met }: Row): string => (met === undefined ? '' : met ? 'met' : 'NOT MET')

const cells = ({ name, what = '', ratio, quartiles, bound = '', ...row }: Row & { name: string }): string[] => [
  name,
  what,
  number(ratio),
  quartiles === undefined ? '' : `${number(quartiles[0])} to ${number(quartiles[1])}`,
  bound,
  verdict(row),
]

const figuresLine = ({ name, what, figures = {} }: Row & { name: string }): string =>
  `${[name, what].filter(Boolean).join(', ')}: ${Object.entries(figures)
    .map(([figure, value]) => `${figure} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')}`

const unjudged = ({ bound: _bound, met: _met, ...row }: Row & { name: string }): Row & { name: string } => row

/** Benches disturb each other here, which does not matter: no bound is judged. */
async function smokeAll(names: readonly string[], server: string | undefined): Promise<Ran[]> {
  const waiting = [...names]
  const ran: Ran[] = []
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const one = await run(name, SMOKE_LIMIT_MS, server)
      const failed = smokeFault(name, one.line)
      console.log(`${name}: ${one.seconds} s${failed === undefined ? '' : ', FAILED'}`)
      ran.push({ ...one, line: failed === undefined ? one.line : { ...one.line, failed } })
    }
  }
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker))
  return ran
}

async function runAll(names: readonly string[], server: string | undefined): Promise<Ran[]> {
  const until = names.length === together.length ? performance.now() + WHOLE_LIMIT_MS : Number.POSITIVE_INFINITY
  const ran: Ran[] = []
  for (const name of names) {
    const left = until - performance.now()
    const failed = 'the time of a whole run is over. Run it alone, or on a machine that is less busy.'
    const one =
      left < LEAST_MS
        ? { name, seconds: 0, line: { failed } }
        : await run(name, Math.min(ALONE[name] ?? LIMIT_MS, left), server)
    console.log(`${name}: ${one.seconds} s`)
    ran.push(one)
  }
  return ran
}

const names = chosen()
const own = benchServer() === undefined ? await startPostgres() : undefined
const ran = await (isSmoke ? smokeAll : runAll)(names, own?.url).finally(() => own?.stop())
const rows = ran.flatMap(rowsOf).map((row) => (isSmoke ? unjudged(row) : row))
console.log(`\n${table([['bench', '', 'ratio', 'middle half', 'bound', ''], ...rows.map(cells)])}\n`)
for (const row of rows) console.log(figuresLine(row))
for (const { name, line } of ran) {
  if (line.skipped !== undefined) console.log(`${name}, skipped: ${line.skipped}`)
  if (line.failed !== undefined) console.log(`${name} FAILED: ${line.failed}`)
}
if (rows.some(({ met }) => met === false) || ran.some(({ line }) => line.failed !== undefined)) process.exitCode = 1
