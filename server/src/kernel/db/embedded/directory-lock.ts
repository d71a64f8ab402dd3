import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Holder, holderOf, isSameWorld, parseHolder, startTimeOf } from './lock-holder.ts'

export type DirectoryLock = {
  /** `stop` runs when the lock turns out to be gone, and must stop using the directory at once. */
  onLost(stop: () => void): void
  release(): void
}

type LockTiming = { readonly beatMs: number }

const usual: LockTiming = { beatMs: 2_000 }
const beatsOfSilence = 4
const longSilentMs = 60_000
// Another opener may find the file empty between its creation and its writing, but not for longer than this.
const halfWrittenMs = 500

/** Another live process has the directory open. */
export class DirectoryInUse extends Error {
  constructor(directory: string, { pid }: Holder) {
    const who = pid === process.pid ? 'this process itself' : `process ${pid}`
    super(
      `The data directory ${directory} is in use by ${who}. Stop that process, give this one another directory ` +
        '(Database:DataDirectory), or share a PostgreSQL server between several processes (Database:Url).',
    )
    this.name = 'DirectoryInUse'
  }
}

/**
 * Two processes on one cluster would destroy it, and the embedded engine does not notice. The lock is a file that only
 * one process can create, and only a dead holder loses it to another.
 */
export async function lockDirectory(directory: string, timing: LockTiming = usual): Promise<DirectoryLock> {
  const file = path.join(directory, 'lock')
  const mine = JSON.stringify({ ...holderOf(process.pid), nonce: randomUUID() })
  while (!create(file, mine)) {
    const found = await readWrittenLock(file)
    if (found === undefined) continue
    const holder = parseHolder(found)
    if (holder !== undefined && (await isAlive(holder, file, timing))) throw new DirectoryInUse(directory, holder)
    removeDead(file, found)
  }
  return keepLock(file, mine, timing)
}

function keepLock(file: string, mine: string, { beatMs }: LockTiming): DirectoryLock {
  let lost = (): void => undefined
  const beat = setInterval(() => {
    if (readLock(file) === mine) {
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
      if (readLock(file) === mine) fs.rmSync(file, { force: true })
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

/** Removes the lock of a dead holder only: another opener may have replaced it since we read it. */
function removeDead(file: string, seen: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    fs.renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  const taken = readLock(aside)
  fs.rmSync(aside, { force: true })
  if (taken !== undefined && taken !== seen) create(file, taken)
}

async function isAlive(holder: Holder, file: string, { beatMs }: LockTiming): Promise<boolean> {
  if (isSameWorld(holder)) return startTimeOf(holder.pid) === holder.startedAt
  // In another container, on another machine or before a restart, only the heartbeat shows whether the holder lives.
  const seen = beatOf(file)
  if (seen !== undefined && Date.now() - seen > longSilentMs) return false
  for (let half = 0; half < 2 * beatsOfSilence; half++) {
    await pause(beatMs / 2)
    if (beatOf(file) !== seen) return true
  }
  return false
}

async function readWrittenLock(file: string): Promise<string | undefined> {
  const found = readLock(file)
  if (found === undefined || parseHolder(found) !== undefined) return found
  await pause(halfWrittenMs)
  return readLock(file)
}

function readLock(file: string): string | undefined {
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
    // The next beat sees whether the lock is gone. A disk that refuses this write refuses others, which report it.
  }
}

function beatOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
