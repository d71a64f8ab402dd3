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
import { copyTables, copyTenant, type Pass } from './copy.ts'
import { MoveStopped } from './faults.ts'
import { close, fence, silently, unfence } from './fence.ts'
import * as sql from './queries.ts'
import { tableSql, WHOLE_TABLE } from './table-copy.ts'

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
  return await underLock(move, async (tx) => {
    const arrived = await arrive(move, switched)
    const pauseMs = arrived && fencedAt.ms > 0 ? performance.now() - fencedAt.ms : null
    move.say(
      `Tenant ${move.tenantId} is served from "${switched.to.name}"${pauseMs === null ? '' : ` after a pause of ${seconds(pauseMs)}`}.`,
    )
    await leave(move, switched)
    await forgetMarks(tx, [switched.from, switched.to])
    return { from: switched.from.name, to: switched.to.name, pauseMs }
  })
}

/** Takes back a move that has not switched: what was copied is deleted. Returns false if there is none. */
export async function cancelMove(move: Omit<Move, 'to' | 'limits'>): Promise<boolean> {
  const { databases, tenantId } = move
  const [first] = databases
  return await underLock(move, async (tx) => {
    const record = await first.db.one(sql.settleMove, { tenantId })
    if (record === undefined || record.state === 'done') return false
    if (record.state === 'switched') {
      throw new MoveStopped(
        `Tenant ${tenantId} has moved to "${record.toName}". Run the command without --cancel, which finishes it.`,
      )
    }
    const { from, to } = endsOf(move, record)
    await unfence(from.db, tenantId, null)
    const shapes = await to.db.rows(sql.readShapes, { names: COPIED })
    await silently(to.db, async (own) => {
      if ((await own.run(sql.clearPlace, { tenantId })) === 0) return
      for (const shape of shapes) await own.run(tableSql(shape).clear(WHOLE_TABLE), { tenantId })
    })
    await first.db.run(sql.forgetMove, { tenantId })
    await forgetMarks(tx, [from, to])
    return true
  })
}

/** The lock ends with its connection, and the change by which a tenant moves is made on that connection. */
async function underLock<Result>(
  { guard }: Pick<Move, 'guard'>,
  work: (tx: Queries) => Promise<Result>,
): Promise<Result> {
  return await guard.transaction(
    async (tx) => {
      if ((await tx.one(sql.takeTurn))?.taken !== true) {
        throw new MoveStopped('Another run of this command is under way. One tenant moves at a time.')
      }
      return await work(tx)
    },
    { unlimited: true },
  )
}

type Run = { readonly tx: Queries; readonly runner: string; readonly fencedAt: { ms: number } }

/** Nobody looks for marks there any longer, while it is certain that no other run has begun to set one. */
async function forgetMarks(tx: Queries, databases: readonly NamedDatabase[]): Promise<void> {
  if ((await tx.one(sql.takeTurn))?.taken !== true) return
  for (const { db } of databases) await db.rows(sql.listenToMarks, { on: 0 })
}

/** Everything up to the change that decides, which is committed with the transaction. */
async function untilSwitched(move: Move, { tx, runner, fencedAt }: Run): Promise<Ends | null> {
  const { databases, tenantId, say } = move
  const [first] = databases
  const record = await first.db.one(sql.settleMove, { tenantId })
  if (record?.state === 'switched') {
    say(`An earlier run had moved tenant ${tenantId} to "${record.toName}", and ended. This one finishes it.`)
    return endsOf(move, record)
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
    await unfence(ends.from.db, tenantId, null)
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
  if ((await tx.run(sql.switchMove, { tenantId })) !== 1) throw new Error('The record of the move is gone.')
  return ends
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
async function recovered(move: Move, runner: string, failure: unknown): Promise<Ends> {
  const { databases, tenantId } = move
  const [first] = databases
  const record = await first.db.one(sql.settleMove, { tenantId }).catch(() => null)
  if (record === null) {
    throw new Error(`The first database does not say whether tenant ${tenantId} has moved. Run this again.`, {
      cause: failure,
    })
  }
  if (record?.state === 'switched') return endsOf({ databases, tenantId }, record)
  if (record?.state === 'copying') {
    const { from } = endsOf({ databases, tenantId }, record)
    await unfence(from.db, tenantId, runner)
    await underLock(move, (tx) => forgetMarks(tx, [from])).catch(() => undefined)
    move.say(
      `Tenant ${tenantId} is served from "${from.name}". Run this again to go on, or with --cancel to take the copy back.`,
    )
  }
  throw failure
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
  const holding: NamedDatabase[] = []
  for (const one of databases) {
    const standing = await one.db.one(sql.readStanding, { tenantId })
    if (standing !== undefined && !standing.deleted) holding.push(one)
  }
  const [from, ...others] = holding
  if (from === undefined) throw new MoveStopped(`There is no tenant ${tenantId}.`)
  if (others.length > 0) {
    throw new MoveStopped(`Tenant ${tenantId} is in ${holding.map((one) => `"${one.name}"`).join(' and ')}.`)
  }
  return from === to ? null : { from, to }
}

/** False where an earlier run had done it. */
async function arrive({ tenantId }: Move, { from, to }: Ends): Promise<boolean> {
  const arrived = await silently(to.db, (tx) => tx.one(sql.arrive, { tenantId, detail: `${from.name} -> ${to.name}` }))
  return arrived !== undefined
}

/** Waits until no process looks for the tenant where it was, and deletes it there. */
async function leave({ databases, tenantId, say }: Move, { from, to }: Ends): Promise<void> {
  const chain = await verifyChain({ db: to.db }, tenantId, {})
  if (!chain.ok)
    say(
      `The audit trail of tenant ${tenantId} breaks at event ${chain.at} (${chain.reason}), as it did before the move.`,
    )
  else say(`Its audit trail holds: ${chain.events} events.`)
  await pause(FRESH_MS + 1_000)
  await eraseTenant({ db: from.db }, tenantId, {
    first: (tx) => tx.rows(sql.silenceTriggers),
    locked: (tx) => tx.run(sql.markMoved, { tenantId }),
  })
  await databases[0].db.run(sql.finishMove, { tenantId })
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
