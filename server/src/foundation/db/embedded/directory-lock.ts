import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Whoever holds a directory: enough to tell a living process from a dead one whose number was given out again. */
type Holder = {
  readonly pid: number
  readonly startedAt: string
  /** Process numbers mean something only within one boot and one container. */
  readonly world: string
}

export type DirectoryLock = {
  /** Called when the lock turns out to be somebody else's: stop using the directory at once. */
  onLost(stop: () => void): void
  release(): void
}

export type LockTiming = { readonly beatMs: number }

const usual: LockTiming = { beatMs: 2_000 }
const beatsOfSilence = 4

/** Another live process has the directory open. */
export class DirectoryInUse extends Error {
  constructor(directory: string, holder: Holder) {
    const who = holder.pid === process.pid ? 'this process' : `process ${holder.pid}`
    super(
      `The data directory ${directory} is in use by ${who}. Stop that process, or give this one another directory ` +
        '(Database:DataDirectory), or use a PostgreSQL server (Database:Url) for several processes.',
    )
    this.name = 'DirectoryInUse'
  }
}

/**
 * Two processes on one cluster destroy it, and the embedded engine itself does not notice. The file is created as a
 * whole or not at all, and taken over only from a process that is dead.
 */
export async function lockDirectory(directory: string, timing: LockTiming = usual): Promise<DirectoryLock> {
  const file = path.join(directory, 'lock')
  const mine = JSON.stringify(myself())
  while (!create(file, mine)) {
    const found = read(file)
    if (found === undefined) continue
    const holder = parse(found)
    if (holder !== undefined && (await isAlive(holder, file, timing))) throw new DirectoryInUse(directory, holder)
    remove(file, found)
  }
  return held(file, mine, timing)
}

function held(file: string, mine: string, { beatMs }: LockTiming): DirectoryLock {
  let lost = (): void => undefined
  const beat = setInterval(() => {
    if (read(file) === mine) return fs.utimesSync(file, new Date(), new Date())
    clearInterval(beat)
    lost()
  }, beatMs)
  beat.unref()
  return {
    onLost: (stop) => {
      lost = stop
    },
    release: () => {
      clearInterval(beat)
      if (read(file) === mine) fs.rmSync(file, { force: true })
    },
  }
}

function create(file: string, content: string): boolean {
  // Linked into its place when it is complete: nobody ever reads half a lock.
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, content, { mode: 0o600 })
  try {
    fs.linkSync(draft, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Removes the lock of a dead holder, and only that: another opener may have replaced it in the meantime. */
function remove(file: string, judged: string): void {
  const aside = `${file}.${process.pid}.dead`
  try {
    fs.renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (read(aside) !== judged) fs.linkSync(aside, file)
  fs.rmSync(aside, { force: true })
}

async function isAlive(holder: Holder, file: string, { beatMs }: LockTiming): Promise<boolean> {
  if (holder.world === worldOf()) return startOf(holder.pid) === holder.startedAt
  // Another boot, container or machine: only its heartbeat can tell.
  const before = beatOf(file)
  if (before !== undefined && Date.now() - before > 60_000) return false
  for (let waited = 0; waited < beatsOfSilence * beatMs; waited += beatMs / 2) {
    await pause(beatMs / 2)
    if (beatOf(file) !== before) return beatOf(file) !== undefined
  }
  return false
}

function myself(): Holder {
  return { pid: process.pid, startedAt: startOf(process.pid) ?? '', world: worldOf() }
}

function worldOf(): string {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return process.platform
  }
}

/** When a process started, in whatever form the system tells it; undefined when there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in parentheses may hold anything; what follows is the state and, 19 fields on, the start.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

function beatOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function parse(content: string): Holder | undefined {
  try {
    const found: unknown = JSON.parse(content)
    return isHolder(found) ? found : undefined
  } catch {
    return undefined
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false
  return 'pid' in value && typeof value.pid === 'number' && 'startedAt' in value && 'world' in value
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
