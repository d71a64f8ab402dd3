// Moves one tenant from one database of a deployment to another, while all others are served.
//
// Who holds the tenant is decided by one row in the first database: until it says `switched`, the one that it comes from, and then the one
// that it goes to. Neither serves it without its own mark being lifted, and a mark is lifted only on the side that the row names. So a
// command that ends anywhere leaves the tenant in one place or, marked on both sides, for a moment in none.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Keyring } from '../../foundation/crypto/index.ts'
import type { Database, Queries } from '../../foundation/db/index.ts'
import { verifyChain } from '../audit/index.ts'
import { FRESH_MS, type NamedDatabase } from '../shards/index.ts'
import { eraseTenant } from '../tenants/index.ts'
import { COPIED, type Ends, faultsOf } from './checks.ts'
import { holdersOf, refuseTwice } from './copies.ts'
import { copyTables, copyTenant, type Pass } from './copy.ts'
import { MoveStopped } from './faults.ts'
import { close, fence, silently, unfence } from './fence.ts'
import * as sql from './queries.ts'
import { tableSql, WHOLE_TABLE } from './table-copy.ts'
import { underLock } from './turn.ts'

export type Move = {
  /** The first leads. */
  readonly databases: readonly [NamedDatabase, ...NamedDatabase[]]
  /** A connection of its own to the first, which holds the right to move. */
  readonly guard: Pick<Database, 'transaction'>
  readonly keyring: Keyring
  readonly tenantId: number
  readonly to: string
  readonly limits: {
    /** For how long nothing of the tenant may be read or written. */
    readonly pauseMs: number
    /** How long to wait for what executes, and for transactions that write. */
    readonly waitMs: number
    /** How long a process may remember where it was. */
    readonly staleMs?: number
  }
  /** What has been reached, for whoever watches. */
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

export type Moved = {
  readonly from: string
  readonly to: string
  /** Null where an earlier run has switched. */
  readonly pauseMs: number | null
}

/** Null where the tenant is there already. Throws `MoveStopped` where it stays where it was. */
export async function moveTenant(move: Move): Promise<Moved | null> {
  const runner = randomUUID()
  const fencedAt = { ms: 0 }
  let began = false
  const switched = await underLock(move, (tx) => {
    began = true
    return untilSwitched(move, { tx, runner, fencedAt })
  }).catch(async (error: unknown) => {
    // Whoever was not let in has nothing to take back.
    if (!began) throw error
    return await recovered(move, runner, error)
  })
  if (switched === null) return null
  const moved = { from: switched.from.name, to: switched.to.name }
  return await underLock(move, async (tx) => {
    if (await isFinished(move, switched)) return { ...moved, pauseMs: null }
    const arrived = await arrive(move, switched)
    const pauseMs = arrived && fencedAt.ms > 0 ? performance.now() - fencedAt.ms : null
    move.say(
      `Tenant ${move.tenantId} is served from "${moved.to}"${pauseMs === null ? '' : ` after a pause of ${seconds(pauseMs)}`}.`,
    )
    await leave(move, switched)
    await forgetMarks(move, tx, [switched.from, switched.to])
    return { ...moved, pauseMs }
  })
}

/** Between two locks, others may have run the command, and a machine may have slept. */
async function isFinished({ databases, tenantId, say }: Move, { by }: Switched): Promise<boolean> {
  const record = await databases[0].db.one(sql.settleMove, { tenantId })
  const isOurs = record?.switchedBy === by
  if (isOurs && record.state === 'switched') return false
  if (!isOurs || record.state !== 'done') {
    throw new MoveStopped(`Tenant ${tenantId} had moved, and is being moved again. Run this again to see where it is.`)
  }
  say(`Another run has finished the move of tenant ${tenantId}.`)
  return true
}

/** Takes back a move that has not switched: what was copied is deleted. Returns false if there is none. */
export async function cancelMove(move: Omit<Move, 'to' | 'limits'>): Promise<boolean> {
  const { databases, tenantId } = move
  return await underLock(move, async (tx) => {
    const record = await databases[0].db.one(sql.settleMove, { tenantId })
    if (record === undefined || record.state === 'done') return false
    if (record.state === 'switched') {
      throw new MoveStopped(
        `Tenant ${tenantId} has moved to "${record.toName}". Run the command without --cancel, which finishes it.`,
      )
    }
    await takeBack(move, tx, endsOf(move, record))
    return true
  })
}

type Begun = Pick<Move, 'databases' | 'tenantId'>

async function takeBack({ databases, tenantId }: Begun, tx: Queries, ends: Ends): Promise<void> {
  const { from, to } = ends
  await liftMarks(from, tenantId)
  const place = await to.db.one(sql.readStanding, { tenantId })
  const shapes = await to.db.rows(sql.readShapes, { names: COPIED })
  await silently(patient(to.db), async (own) => {
    const runner = place?.moving === 'arriving' ? place.movingBy : null
    if (runner === null || (await own.run(sql.clearPlace, { tenantId, runner })) === 0) return
    for (const shape of shapes) await own.run(tableSql(shape).clear(WHOLE_TABLE), { tenantId })
  })
  await databases[0].db.run(sql.forgetMove, { tenantId })
  await forgetMarks({ tenantId }, tx, [from, to])
}

/** Those of an earlier run, and of no later one. */
async function liftMarks({ db }: NamedDatabase, tenantId: number): Promise<void> {
  const standing = await db.one(sql.readStanding, { tenantId })
  if (standing?.movingBy != null) await unfence(db, tenantId, standing.movingBy)
}

/** All rows of a tenant are deleted in one transaction, which takes as long as they are many. */
const patient = (db: Database): Database => ({
  ...db,
  transaction: (work) => db.transaction(work, { unlimited: true }),
})

type Run = { readonly tx: Queries; readonly runner: string; readonly fencedAt: { ms: number } }

/**
 * Nobody looks for marks there any longer, unless another move has left some: it was ended in the middle. And only while it is certain
 * that no run has begun to set one.
 */
async function forgetMarks(
  { tenantId }: Pick<Move, 'tenantId'>,
  tx: Queries,
  databases: readonly NamedDatabase[],
): Promise<void> {
  if ((await tx.one(sql.takeTurn))?.taken !== true) return
  const others = await tx.rows(sql.listUnfinished, { tenantId })
  for (const { name, db } of databases) {
    if (others.every(({ fromName, toName }) => fromName !== name && toName !== name))
      await db.rows(sql.listenToMarks, { on: 0 })
  }
}

/** `by`: the run whose marks are on both sides. Null where a version of before has switched, which did not write it down. */
type Switched = Ends & { readonly by: string | null }

/** Everything up to the change that decides, which is committed with the transaction. */
async function untilSwitched(move: Move, { tx, runner, fencedAt }: Run): Promise<Switched | null> {
  const { databases, tenantId, say } = move
  const [first] = databases
  const record = await first.db.one(sql.settleMove, { tenantId })
  if (record?.state === 'switched') {
    say(`An earlier run had moved tenant ${tenantId} to "${record.toName}", and ended. This one finishes it.`)
    return { ...endsOf(move, record), by: record.switchedBy }
  }
  const resumed = record?.state === 'copying'
  const ends = resumed ? endsOf(move, record) : await endsNow(move)
  if (ends === null) return null
  if (ends.to.name !== move.to) {
    throw new MoveStopped(
      `A move of tenant ${tenantId} to "${ends.to.name}" was begun. Finish it, or take it back with --cancel.`,
    )
  }
  if (resumed) {
    await liftMarks(ends.from, tenantId)
    say(
      `An earlier run ended while it copied. Tenant ${tenantId} is served from "${ends.from.name}", and its copy is gone on with.`,
    )
  }
  const faults = await faultsOf({ ...ends, ...move, to: ends.to, resumed })
  if (faults.length > 0) throw new MoveStopped(faults.join('\n'))
  await first.db.run(sql.beginMove, { tenantId, fromName: ends.from.name, toName: ends.to.name })
  await ends.to.db.rows(sql.listenToMarks, { on: 1 })
  await silently(ends.to.db, (own) => own.run(sql.makePlace, { tenantId, runner }))
  const copying = { ...ends, tenantId, runner, signal: move.signal }
  await copyAhead(move, copying)
  const fenced = { db: ends.from.db, tenantId, runner, signal: move.signal }
  say('Waiting until nothing executes. Reads and proposals go on.')
  await close(fenced, { mostMs: move.limits.waitMs })
  fencedAt.ms = performance.now()
  await fence(fenced, { mostMs: move.limits.pauseMs })
  say('Nothing of it is written. Comparing.')
  const pass = await copyTables({
    ...copying,
    signal: AbortSignal.any([move.signal, AbortSignal.timeout(2 * move.limits.pauseMs)]),
  })
  await copyTenant(copying)
  say(`Both hold the same ${pass.rows} rows. Switching.`)
  if (move.signal.aborted) throw new MoveStopped('The move was stopped.')
  if ((await tx.run(sql.switchMove, { tenantId, runner })) !== 1) throw new Error('The record of the move is gone.')
  return { ...ends, by: runner }
}

/** Copies while the tenant is served, until a pass is short enough to be the pause. */
async function copyAhead({ limits, say }: Move, copying: Parameters<typeof copyTables>[0]): Promise<Pass> {
  for (let last: Pass | undefined; ; ) {
    const pass = await copyTables(copying)
    say(`Copied ahead: ${pass.rows} rows in ${seconds(pass.ms)}.`)
    if (last !== undefined && pass.ms <= limits.pauseMs) return pass
    if (last !== undefined && pass.ms > last.ms * 0.7) {
      throw new MoveStopped(
        `The pause would be about ${seconds(pass.ms)}, and ${seconds(limits.pauseMs)} are allowed. Choose a quieter hour, or allow more with --pause.`,
      )
    }
    last = pass
  }
}

/** A run that failed takes its marks back, unless it turns out to have switched. */
async function recovered(move: Move, runner: string, failure: unknown): Promise<Switched> {
  const { databases, tenantId } = move
  const [first] = databases
  const record = await first.db.one(sql.settleMove, { tenantId }).catch(() => null)
  if (record === null) {
    throw new Error(`The first database does not say whether tenant ${tenantId} has moved. Run this again.`, {
      cause: failure,
    })
  }
  if (record?.state === 'switched') return { ...endsOf(move, record), by: record.switchedBy }
  if (record?.state === 'copying') await stay(move, runner, endsOf(move, record))
  throw failure
}

async function stay(move: Move, runner: string, ends: Ends): Promise<void> {
  const { tenantId, say } = move
  const { from, to } = ends
  await unfence(from.db, tenantId, runner)
  const standing = await from.db.one(sql.readStanding, { tenantId })
  if (standing === undefined || standing.deleted) {
    // Nothing of one that was erased stays anywhere, its copy neither.
    await underLock(move, (tx) => takeBack(move, tx, ends))
    say(`Tenant ${tenantId} has been deleted. So is what was copied of it to "${to.name}".`)
    return
  }
  await underLock(move, (tx) => forgetMarks(move, tx, [from])).catch(() => undefined)
  say(
    `Tenant ${tenantId} is served from "${from.name}". Run this again to go on, or with --cancel to take the copy back.`,
  )
}

function endsOf({ databases, tenantId }: Pick<Move, 'databases' | 'tenantId'>, record: sql.MoveRecord): Ends {
  const named = (name: string): NamedDatabase => {
    const found = databases.find((one) => one.name === name)
    if (found === undefined)
      throw new MoveStopped(`Tenant ${tenantId} was being moved, and Database:Shards no longer names "${name}".`)
    return found
  }
  return { from: named(record.fromName), to: named(record.toName) }
}

/** Null where the tenant is there already. */
async function endsNow({ databases, tenantId, to: name }: Move): Promise<Ends | null> {
  const to = databases.find((one) => one.name === name)
  if (to === undefined) {
    throw new MoveStopped(
      `There is no database "${name}". Choose one of: ${databases.map((one) => one.name).join(', ')}.`,
    )
  }
  const holding = await holdersOf({ databases, tenantId })
  const [from, ...others] = holding
  if (from === undefined) {
    throw new MoveStopped(
      `There is no tenant ${tenantId} in any of the databases. GET /v1/tenants lists them, with the operator's key.`,
    )
  }
  if (others.length > 0) await refuseTwice(tenantId, holding)
  return from === to ? null : { from, to }
}

/** False where an earlier run had done it. */
async function arrive({ tenantId }: Move, { from, to, by }: Switched): Promise<boolean> {
  const detail = `${from.name} -> ${to.name}`
  const arrived = await silently(to.db, (tx) => tx.one(sql.arrive, { tenantId, by, detail }))
  return arrived !== undefined
}

/** Waits until no process looks for the tenant where it was, and deletes it there. */
async function leave({ databases, tenantId, say, limits }: Move, { from, to, by }: Switched): Promise<void> {
  const chain = await verifyChain({ db: to.db }, tenantId, {})
  if (!chain.ok)
    say(
      `The audit trail of tenant ${tenantId} breaks at event ${chain.at} (${chain.reason}), as it did before the move.`,
    )
  else say(`Its audit trail holds: ${chain.events} events.`)
  await pause(limits.staleMs ?? FRESH_MS + 1_000)
  await eraseTenant({ db: patient(from.db) }, tenantId, {
    first: (tx) => tx.rows(sql.silenceTriggers),
    async locked(tx) {
      if ((await tx.run(sql.markMoved, { tenantId, by })) === 1) return
      const standing = await tx.one(sql.readStanding, { tenantId })
      // Another run may have deleted it, and a later move may have brought it back.
      if (standing?.moving !== 'moved')
        throw new MoveStopped(`Tenant ${tenantId} is back in "${from.name}". Nothing was deleted there.`)
    },
  })
  await databases[0].db.run(sql.finishMove, { tenantId, by })
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
