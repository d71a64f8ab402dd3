// What is left of the embedded database when the power goes: a writer on a disk of its own says each row that was
// acknowledged; it is stopped in mid-flight, the disk is taken as it is at that moment, and every row is looked up.
// The same is done to PGlite as it comes. That one must lose rows, else the cut cuts nothing and the result means nothing.
//
// Needs root and loop devices; says so and stops where it has none. `--cuts=20` cuts more often than usual.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ROOT } from './parts/child.ts'
import { cutPower, type Disk, flushDisk, makeDisk, removeDisk, whyNoDisks } from './parts/loop-disk.ts'
import { asItComes, ours, type Subject } from './parts/power-cut-subjects.ts'
import { lasting, roundsToTake } from './parts/scale.ts'

type Tally = { cuts: number; acknowledged: number; lost: number; torn: number; notOpening: number }

const checkpointEvery = 150
const shortestMs = 400
const longestMs = Math.max(shortestMs, lasting(6_000))
const promise = 'A power cut loses no row that was acknowledged, and the database opens afterwards'

const { values } = parseArgs({
  options: { cuts: { type: 'string', default: String(roundsToTake({ rounds: 4, warmUpRounds: 0 }).rounds) } },
})
const cuts = Number(values.cuts)
const folder = mkdtempSync(path.join(os.tmpdir(), 'tether-power-'))
const disks = new Set<Disk>()
process.on('exit', () => {
  for (const disk of disks) removeDisk(disk)
  rmSync(folder, { recursive: true, force: true })
})

async function cutOften(subject: Subject, times: number): Promise<Tally> {
  const tally: Tally = { cuts: 0, acknowledged: 0, lost: 0, torn: 0, notOpening: 0 }
  for (let cut = 0; cut < times; cut++) {
    // From the first moment on to past the five seconds after which ext4 writes by itself what nobody flushed.
    const writingMs = shortestMs + (longestMs - shortestMs) * ((cut + Math.random()) / times)
    await cutOnce(subject, writingMs, tally)
  }
  return tally
}

async function cutOnce(subject: Subject, writingMs: number, tally: Tally): Promise<void> {
  const disk = kept(makeDisk(folder, `disk-${tally.cuts}`))
  await subject.make(path.join(disk.at, 'data'))
  flushDisk(disk)
  const { acknowledged, at } = await writeAndCut(subject, disk, writingMs)
  tally.cuts++
  tally.acknowledged += acknowledged.length
  try {
    const { rows, torn } = await subject.find(path.join(at.at, 'data'))
    tally.lost += acknowledged.filter((id) => !rows.has(id)).length
    tally.torn += torn
  } catch {
    tally.notOpening++
    tally.lost += acknowledged.length
  }
  for (const used of [at, disk]) {
    removeDisk(used)
    disks.delete(used)
  }
}

async function writeAndCut(
  subject: Subject,
  disk: Disk,
  writingMs: number,
): Promise<{ acknowledged: number[]; at: Disk }> {
  const args = [path.join(ROOT, subject.writer), path.join(disk.at, 'data'), String(checkpointEvery)]
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = (): boolean => writer.kill('SIGKILL')
  process.on('exit', stop)
  const gone = once(writer, 'exit')
  const acknowledged: number[] = []
  const isOpen = Promise.withResolvers<void>()
  createInterface({ input: writer.stdout }).on('line', (line) => {
    if (line === 'open') isOpen.resolve()
    else acknowledged.push(Number(line))
  })
  const tooSoon = gone.then(() => Promise.reject(new Error(`${subject.writer} ended by itself.`)))
  await Promise.race([isOpen.promise.then(() => pause(writingMs)), tooSoon])
  tooSoon.catch(() => undefined) // from here on it ends because we end it
  writer.kill('SIGSTOP')
  const at = kept(cutPower(disk, 'after'))
  await pause(100) // what it said before it stopped is still in the pipe
  stop()
  await gone
  process.off('exit', stop)
  return { acknowledged, at }
}

function kept(disk: Disk): Disk {
  disks.add(disk)
  return disk
}

function report(results: readonly object[], skipped?: string): void {
  process.stdout.write(`${JSON.stringify({ bench: 'power-cut', promise, results, skipped })}\n`)
}

const skipped = whyNoDisks(folder)
if (skipped === undefined) {
  const unsynced = await cutOften(asItComes, 2)
  const own = await cutOften(ours, cuts)
  const isKept = own.lost === 0 && own.torn === 0 && own.notOpening === 0 && own.acknowledged > 0
  const isProof = unsynced.lost > 0
  report([
    { what: 'embedded database', bound: 'lost = 0', met: isKept, figures: own },
    { what: 'the cut itself: PGlite without our files', bound: 'lost > 0', met: isProof, figures: unsynced },
  ])
  if (!isKept || !isProof) process.exitCode = 1
} else {
  report([], skipped)
}
