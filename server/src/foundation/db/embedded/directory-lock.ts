import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Holder, holderOf, isSameWorld, parseHolder, startOf } from './lock-holder.ts'

export type DirectoryLock = {
  /** Called when the lock turns out to be gone: stop using the directory at once. */
  onLost(stop: () => void): void
  release(): void
}

export type LockTiming = { readonly beatMs: number }

const usual: LockTiming = { beatMs: 2_000 }
const beatsOfSilence = 4
const longSilentMs = 60_000
// Between creating the file and writing it another opener may read it empty; after that long nobody writes it any more.
const halfWrittenMs = 500

/** Another live process has the directory open. */
export class DirectoryInUse extends Error {
  constructor(directory: string, { pid }: Holder) {
    const who = pid === process.pid ? 'this process itself' : `process ${pid}`
    super(
      `The data directory ${directory} is in use by ${who}. Stop that process, or give this one another directory ` +
        '(Database:DataDirectory), or let several processes share a PostgreSQL server (Database:Url).',
    )
    this.name = 'DirectoryInUse'
  }
}

/**
 * Two processes on one cluster destroy it, and the embedded engine itself does not notice. The lock is a file that only
 * one can create; it is taken over only from a holder that is dead.
 */
export async function lockDirectory(directory: string, timing: LockTiming = usual): Promise<DirectoryLock> {
  const file = path.join(directory, 'lock')
  const mine = JSON.stringify({ ...holderOf(process.pid), nonce: randomUUID() })
  while (!create(file, mine)) {
    const found = await readWhole(file)
    if (found === undefined) continue
    const holder = parseHolder(found)
    if (holder !== undefined && (await isAlive(holder, file, timing))) throw new DirectoryInUse(directory, holder)
    removeDead(file, found)
  }
  return hold(file, mine, timing)
}

function hold(file: string, mine: string, { beatMs }: LockTiming): DirectoryLock {
  let lost = (): void => undefined
  const beat = setInterval(() => {
    if (read(file) === mine) {
      touch(file)
      return
    }
    clearInterval(beat)
    lost()
  }, beatMs).unref()
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
  try {
    fs.writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes the lock of a dead holder, and only that: another opener may have replaced it since it was judged. */
function removeDead(file: string, judged: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    fs.renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  const taken = read(aside)
  fs.rmSync(aside, { force: true })
  if (taken !== undefined && taken !== judged) create(file, taken)
}

async function isAlive(holder: Holder, file: string, { beatMs }: LockTiming): Promise<boolean> {
  if (isSameWorld(holder)) return startOf(holder.pid) === holder.startedAt
  // Of a process in another container, on another machine or before a restart of this one, only the heartbeat tells.
  const seen = beatOf(file)
  if (seen !== undefined && Date.now() - seen > longSilentMs) return false
  for (let half = 0; half < 2 * beatsOfSilence; half++) {
    await pause(beatMs / 2)
    if (beatOf(file) !== seen) return true
  }
  return false
}

async function readWhole(file: string): Promise<string | undefined> {
  const found = read(file)
  if (found === undefined || parseHolder(found) !== undefined) return found
  await pause(halfWrittenMs)
  return read(file)
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function touch(file: string): void {
  try {
    fs.utimesSync(file, new Date(), new Date())
  } catch {
    // The next beat sees whether the lock is gone; a disk that refuses this refuses more, and says so itself.
  }
}

function beatOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
