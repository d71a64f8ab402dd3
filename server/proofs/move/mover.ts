// The command as an operator runs it, ended where a proof wants it to end.
import { spawn } from 'node:child_process'
import { start } from '../rig/start-file.ts'

export type Ran = { readonly code: number | null; readonly lines: readonly string[]; readonly complaints: string }

/** Killed as soon as it says a line like this, or after some time, where either is given. */
export type End = { readonly at?: RegExp; readonly afterMs?: number }

export function runMove(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  { at, afterMs }: End = {},
): Promise<Ran> {
  const named = Object.entries(settings).map(([name, value]) => [name.replaceAll(':', '__'), value])
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...Object.fromEntries(named) }
  const child = spawn(process.execPath, [start, 'move-tenant', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const reap = () => child.kill('SIGKILL')
  process.once('exit', reap)
  const timer = afterMs === undefined ? undefined : setTimeout(reap, afterMs)
  let said = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (at?.test(said) === true) reap()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer)
      process.off('exit', reap)
      resolve({ code, lines: said.split('\n').filter((line) => line !== ''), complaints })
    })
  })
}
