import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const FOLDER = path.join(import.meta.dirname, '../../../conformance')
const SUITE = path.join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** The suite is a package apart, with a lock file of its own: only this proof needs it. */
export async function installed(): Promise<void> {
  if (existsSync(SUITE)) return
  const { code, said } = await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER })
  if (code !== 0) throw new Error(`The suite could not be installed from conformance/package-lock.json. ${said}`)
}

export type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string }
export type Played = { readonly code: number; readonly said: string; checks(scenario: string): readonly Check[] }

/** Plays scenarios of the suite, and keeps what it checked until the work with it is done. */
export async function played<Result>(args: readonly string[], work: (played: Played) => Result): Promise<Result> {
  const out = mkdtempSync(path.join(tmpdir(), 'tether-conformance-'))
  try {
    const preload = `--import=${path.join(import.meta.dirname, 'on-loopback.mjs')}`
    const { code, said } = await run(process.execPath, [preload, SUITE, ...args, '-o', out])
    const checks = (scenario: string) =>
      globSync(`**/*${scenario}-2*/checks.json`, { cwd: out }).flatMap((file): Check[] =>
        JSON.parse(readFileSync(path.join(out, file), 'utf8')),
      )
    return work({ code, said, checks })
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** What the suite does not have to pass, and why. */
export const notApplicable = (revision: string): string => path.join(FOLDER, `not-applicable-${revision}.yml`)

/** A client of 2025, as its own package. */
export const clientOf2025 = async (script: string, args: readonly string[]) =>
  await run(process.execPath, ['--input-type=module', '-e', script, ...args], { cwd: FOLDER })

function run(command: string, args: readonly string[], options: { readonly cwd?: string } = {}) {
  return new Promise<{ code: number; said: string }>((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
    child.on('error', (error) => resolve({ code: 1, said: String(error) }))
    child.on('close', (code) => resolve({ code: code ?? 1, said }))
  })
}
