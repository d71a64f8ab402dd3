// What the database and the endpoint's books say of every action, and where the two, or what people were told, disagree.
import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import type { Receiver } from './receiver.ts'
import type { Told } from './storm.ts'

/** All of them are promised to be 0. */
export type Violations = {
  performedTwice: number
  /** Sent again without a reconcile, and without an answer that nothing was done. */
  sentTwice: number
  executedNotPerformed: number
  performedNotExecuted: number
  /** Somebody was told `Executed`, and it is not so. */
  toldWrong: number
  leftExecuting: number
  leftPending: number
  leftIndeterminate: number
  /** Actions whose trail, or whose events, are not exactly those of their state. */
  auditWrong: number
  eventsWrong: number
  /** Rows that nobody staged, or that are gone. */
  rowsWrong: number
}

export type Facts = {
  readonly executed: number
  readonly failed: number
  readonly sends: number
  /** Executed writes whose read-back was declared and never written down. */
  readonly readBacksMissing: number
}

export const none = (): Violations => ({
  performedTwice: 0,
  sentTwice: 0,
  executedNotPerformed: 0,
  performedNotExecuted: 0,
  toldWrong: 0,
  leftExecuting: 0,
  leftPending: 0,
  leftIndeterminate: 0,
  auditWrong: 0,
  eventsWrong: 0,
  rowsWrong: 0,
})

type Row = {
  actionId: string
  tenantId: number
  tool: string
  state: string
  errorCode: string | null
  verification: string | null
  trail: string
  told: string
}

const everyAction = unlisted<Row, { tenantIds: readonly number[] }>(
  'proof.every_action',
  `select a.action_id as "actionId", a.tenant_id as "tenantId", a.tool, a.state, a.error_code as "errorCode", a.verification_status as verification,
      coalesce((select string_agg(e.event, ' ' order by e.id) from audit_events e
        where e.tenant_id = a.tenant_id and e.action_id = a.action_id), '') as trail,
      -- What still waits to be told, and what was.
      coalesce((select string_agg(o.event, ' ' order by o.outbox_id) from (
          select outbox_id, event from outbox w where w.tenant_id = a.tenant_id and w.action_id = a.action_id
          union
          select outbox_id, event from deliveries d where d.tenant_id = a.tenant_id and d.action_id = a.action_id) as o), '') as told
    from actions a where a.tenant_id = any ($tenantIds::int[])`,
)

export type Verdict = { readonly violations: Violations; readonly facts: Facts; readonly examples: readonly string[] }

const TERMINAL_EVENTS = new Set(['executed', 'rejected', 'expired', 'provider_refused'])
const TERMINAL = new Set(['executed', 'failed', 'rejected', 'expired'])

export async function judge(db: Database, told: readonly Told[], receiver: Receiver): Promise<Verdict> {
  const violations = none()
  const examples: string[] = []
  const tenants = [...new Set(told.map(({ shop }) => shop.tenantId))]
  const rows = await db.rows(everyAction, { tenantIds: tenants })
  const byId = new Map(rows.map((row) => [row.actionId, row]))
  violations.rowsWrong += rows.length - told.length
  for (const one of told) {
    const row = byId.get(one.actionId)
    const found = row === undefined ? (['rowsWrong'] as const) : faultsOf(row, one, receiver)
    for (const fault of found) violations[fault]++
    if (found.length > 0 && examples.length < 5) {
      const said = one.confirmed.map(({ status }) => status).join(' ')
      const entries = JSON.stringify(
        receiver.entriesOf(one.receivedAs ?? one.actionId).map(({ kept, ...entry }) => entry),
      )
      examples.push(`${found.join(' ')}: ${JSON.stringify(row)} told ${said}, ${one.reconciles} reconciles, ${entries}`)
    }
  }
  return { violations, facts: factsOf(rows, receiver), examples }
}

type Fault = keyof Violations

function faultsOf(
  row: Row,
  { actionId, receivedAs, confirmed, reconciled, reconciles }: Told,
  receiver: Receiver,
): Fault[] {
  const { state } = row
  const entries = receiver.entriesOf(receivedAs ?? actionId)
  const performed = entries.reduce((sum, entry) => sum + entry.performed, 0)
  // A reconcile that is told `Conflict` has sent nothing; one that got no answer may have.
  const asked = reconciles - reconciled.filter(({ status }) => status === 'Conflict').length
  const won = confirmed.filter(({ status }) => status === 'Executed').length
  const saidExecuted = [...confirmed, ...reconciled].some(
    ({ status }) => status === 'Executed' || status === 'Replayed',
  )
  const faults: [boolean, Fault][] = [
    [performed > 1, 'performedTwice'],
    [entries.some((entry) => entry.arrivals > 1 + entry.retryable + asked), 'sentTwice'],
    [(state === 'executed' || saidExecuted) && performed === 0, 'executedNotPerformed'],
    [performed > 0 && state !== 'executed' && state !== 'indeterminate', 'performedNotExecuted'],
    [won > 1 || (saidExecuted && state !== 'executed'), 'toldWrong'],
    [state === 'executing', 'leftExecuting'],
    [state === 'pending', 'leftPending'],
    [state === 'indeterminate', 'leftIndeterminate'],
    [!trailFits(row), 'auditWrong'],
    [!eventsFit(row), 'eventsWrong'],
  ]
  return faults.filter(([is]) => is).map(([, fault]) => fault)
}

/** One person confirms here, so a trail is its beginning, their yes and its end; replays and the read-back come after it. */
function trailFits({ state, errorCode, trail, verification }: Row): boolean {
  const isHeard = trail.startsWith('proposed approved')
  const expected = [
    'proposed',
    ...(isHeard ? ['approved'] : []),
    ...(TERMINAL.has(state) ? [endingOf(state, errorCode)] : []),
  ]
  if (!isHeard && state !== 'pending' && state !== 'rejected' && state !== 'expired') return false
  const [replays, others] = split(trail, 'replayed')
  const readBack = verification === null ? [] : [verification]
  return same(others, [...expected, ...readBack]) && (replays === 0 || state === 'executed')
}

/** An API that refused says so in the trail and to the tenant's server; an endpoint that did is a failure, which is not announced. */
const endingOf = (state: string, errorCode: string | null): string =>
  state === 'failed' && errorCode === 'provider_refused' ? errorCode : state

function eventsFit({ state, errorCode, told, verification }: Row): boolean {
  const end = endingOf(state, errorCode)
  const ending = TERMINAL_EVENTS.has(end) ? [`action.${end}`] : []
  const unverified = verification === 'unverified' ? ['conversation.handoff'] : []
  const readBack = verification === null ? [] : [`action.${verification}`]
  return same(told.split(' '), ['action.pending', ...ending, ...readBack, ...unverified])
}

function split(text: string, apart: string): [count: number, others: string[]] {
  const words = text.split(' ')
  const others = words.filter((word) => word !== apart)
  return [words.length - others.length, others]
}

const same = (one: readonly string[], other: readonly string[]): boolean => one.join(' ') === other.join(' ')

function factsOf(rows: readonly Row[], receiver: Receiver): Facts {
  const executed = rows.filter(({ state }) => state === 'executed')
  return {
    executed: executed.length,
    failed: rows.filter(({ state }) => state === 'failed').length,
    sends: receiver.arrivals(),
    readBacksMissing: executed.filter(({ tool, verification }) => tool === 'refund_verified' && verification === null)
      .length,
  }
}

/** Effects that an endpoint without any claim would have had twice: to be asked before anything is reconciled. */
export const naiveDoubles = (receiver: Receiver): number =>
  [...receiver.entries()].filter(({ naive }) => naive > 1).length

export const sumOf = (violations: Readonly<Record<string, number>>): number =>
  Object.values(violations).reduce((sum, one) => sum + one, 0)

const everyState = unlisted<{ actionId: string; state: string }>(
  'proof.every_state',
  `select action_id as "actionId", state from actions`,
)

export const lookAt = (db: Database) => async (): Promise<ReadonlyMap<string, string>> =>
  new Map((await db.rows(everyState)).map(({ actionId, state }) => [actionId, state]))
