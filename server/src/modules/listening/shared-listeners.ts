import { randomUUID } from 'node:crypto'
import { LISTEN_MOST, type ListenAnswers, type Listened, type ListenRequest } from '@tether/contract'
import type { House } from '../../tenancy/context/index.ts'
import { type Delivered, type Listeners, MOST_BYTES_AT_ONCE, MOST_OPEN, type Relayed } from './listeners.ts'
import { AWAITED_SECONDS, type OpenRequest, type OpenRequests, openOpenRequests } from './open-requests.ts'
import * as sql from './queries.ts'
import { openAnswer, openRequest, sealAnswer, sealRequest } from './seal.ts'
import { openWaitingLines, type WaitingLines } from './waiting-lines.ts'

type Parts = Pick<House, 'db' | 'keyring' | 'log'>
type Shared = Parts & {
  readonly lines: WaitingLines
  readonly requests: OpenRequests
  readonly draining: AbortController
  /** Nobody waits here for something to come. */
  readonly closing: AbortController
  /** Nor for what has been put on a line. */
  readonly ended: AbortController
}

/** While an instance is taken out, a balancer may still send listeners here: they come again this soon, and find another one. */
const DRAINING_WAIT_MS = 1_000

/** What is on a line is answered at any instance, so one that stops waits for it, and no longer than this. */
const LAST_ANSWERS_MS = 5_000

/**
 * The lines between the workspaces and their listeners, where several instances share a database: each of them hands over what any of
 * them is asked to deliver. A line outlives the instance that a listener asks; a request ends with the one that waits for its answer.
 */
export function openSharedListeners(parts: Parts): Listeners {
  const shared = {
    ...parts,
    lines: openWaitingLines(parts),
    requests: openOpenRequests(parts),
    draining: new AbortController(),
    closing: new AbortController(),
    ended: new AbortController(),
  }
  return {
    take: (tenantId, asked, signal) => take(shared, tenantId, asked, signal),
    answer: (tenantId, said) => answer(shared, tenantId, said),
    deliver: (tenantId, delivered, signal) => deliver(shared, tenantId, delivered, signal),
    drain: () => shared.draining.abort(),
    close() {
      shared.closing.abort()
      setTimeout(() => shared.ended.abort(), LAST_ANSWERS_MS).unref()
    },
  }
}

async function take(shared: Shared, tenantId: number, asked: ListenRequest, signal: AbortSignal): Promise<Listened> {
  const { db, closing, lines } = shared
  const { listener, epoch: askedEpoch = null } = asked
  // A process that stops takes nobody's place: the listener asks again, and finds the next one.
  const stopped = { epoch: askedEpoch ?? '', displaced: false, requests: [] }
  if (closing.signal.aborted) return stopped
  const row = await db.one(sql.letIn, { tenantId, listener, newEpoch: randomUUID(), askedEpoch })
  if (row === undefined) return { ...stopped, displaced: true }
  const line = { tenantId, epoch: row.epoch, listener }
  const received = askedEpoch === row.epoch ? (asked.received ?? 0) : 0
  const waitMs = (asked.waitSeconds ?? 0) * 1000
  const ending = AbortSignal.any([signal, closing.signal, untilNews(shared, waitMs)])
  for (let { last } = row; ; ) {
    const requests = await given(shared, line, received)
    if (requests.length > 0 || waitMs === 0 || ending.aborted) return { epoch: row.epoch, displaced: false, requests }
    await lines.wait(line, last, ending)
    if (signal.aborted || closing.signal.aborted) return { ...stopped, epoch: row.epoch }
    const now = (await db.rows(sql.look, { tenantIds: [tenantId] }))[0]
    // Where the line is gone, the listener learns with its next question that there is another one.
    if (now?.epoch !== row.epoch) return { ...stopped, epoch: row.epoch }
    if (now.listener !== listener) return { ...stopped, epoch: row.epoch, displaced: true }
    last = now.last
  }
}

function untilNews({ draining: { signal } }: Shared, waitMs: number): AbortSignal {
  if (signal.aborted) return AbortSignal.timeout(Math.min(waitMs, DRAINING_WAIT_MS))
  return AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
}

async function given({ db, keyring }: Shared, line: sql.LineOf, received: number): Promise<Listened['requests']> {
  const rows = await db.rows(sql.give, { ...line, received, most: LISTEN_MOST, mostBytes: MOST_BYTES_AT_ONCE })
  return rows.map(({ number, sealId, request }) => {
    const { headers, body } = openRequest(keyring, line.tenantId, sealId, request)
    return { number, headers: { ...headers }, body }
  })
}

async function answer(shared: Shared, tenantId: number, { listener, epoch, answers }: ListenAnswers): Promise<number> {
  const { db, keyring, requests } = shared
  const sealed = new Map(answers.map((one) => [one.number, sealAnswer(keyring, { tenantId, epoch }, one)]))
  const kept = await db.rows(sql.keepAnswers, {
    tenantId,
    epoch,
    listener,
    numbers: [...sealed.keys()],
    answers: [...sealed.values()],
  })
  for (const { number } of kept) requests.tell({ tenantId, epoch, number }, sealed.get(number) ?? '')
  return kept.length
}

async function deliver(shared: Shared, tenantId: number, delivered: Delivered, signal: AbortSignal): Promise<Relayed> {
  const { db, keyring, lines, requests, ended } = shared
  if (ended.signal.aborted) return { kind: 'nobody' }
  const sealId = randomUUID()
  const row = await db.one(sql.putOn, {
    tenantId,
    sealId,
    request: sealRequest(keyring, tenantId, sealId, delivered),
    bytes: Buffer.byteLength(delivered.body),
    mostOpen: MOST_OPEN,
    awaitedSeconds: AWAITED_SECONDS,
  })
  if (row === undefined) return { kind: (await db.one(sql.isPresent, { tenantId })) === undefined ? 'nobody' : 'full' }
  lines.wake(tenantId)
  const request = { tenantId, ...row }
  const answered = await requests.wait(request, AbortSignal.any([signal, ended.signal]))
  if (answered?.kind === 'lost') return { kind: 'cut' }
  const leftBehind = await takenOff(shared, request)
  if (answered !== undefined) return { kind: 'answered', answer: openAnswer(keyring, request, answered.answer) }
  return signal.aborted ? { kind: 'left' } : leftBehind
}

/** What became of a request for which nobody waits any longer. Where that cannot be found out, it may have been given. */
async function takenOff({ db, keyring }: Shared, request: OpenRequest): Promise<Relayed> {
  try {
    const row = await db.one(sql.takeOff, request)
    if (row?.answer != null) return { kind: 'answered', answer: openAnswer(keyring, request, row.answer) }
    return { kind: row?.given === false ? 'nobody' : 'cut' }
  } catch {
    // The row is given to nobody a moment from now, and forgotten later.
    return { kind: 'cut' }
  }
}
