import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

/** The holder of a lock, with enough detail to tell a living process from a dead one whose number was reused. */
export type Holder = {
  readonly pid: number
  readonly startedAt: string
  /** Process numbers are unique only within one boot and one container. */
  readonly world: string
}

export function holderOf(pid: number): Holder {
  return { pid, startedAt: startTimeOf(pid) ?? '', world: thisWorld() }
}

export const isSameWorld = (holder: Holder): boolean => holder.world === thisWorld()

/** When a process started, in whatever form the system gives; undefined if there is no such process. */
export function startTimeOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)
}

/** Returns undefined if the file does not describe a holder, because nobody finished writing it. */
export function parseHolder(content: string): Holder | undefined {
  try {
    const found: unknown = JSON.parse(content)
    return isHolder(found) ? found : undefined
  } catch {
    return undefined
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false
  if (!('pid' in value && 'startedAt' in value && 'world' in value)) return false
  return typeof value.pid === 'number' && typeof value.startedAt === 'string' && typeof value.world === 'string'
}

function thisWorld(): string {
  if (process.platform !== 'linux') return process.platform
  const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`
}

function startFromProc(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything. After it come the state and, as the 20th field from there, the start
    // time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isDead = fields[0] === 'Z' || fields[0] === 'X'
    return isDead ? undefined : fields[19]
  } catch {
    return undefined
  }
}

function startFromPs(pid: number): string | undefined {
  if (!isRunning(pid)) return undefined
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return 'running' // Without ps, a reused number looks alive, which is the safe side.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
