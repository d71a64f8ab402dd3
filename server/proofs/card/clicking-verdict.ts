// What the database, the endpoint and Slack say of writes that were clicked, and where they disagree.

import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import { buttonOf, type SlackServer } from '../../src/modules/channels/fixtures/slack-server.ts'
import type { Receiver } from './receiver.ts'
import type { Said, Shop } from './shop.ts'
import { until } from './wait.ts'

/** A click that was answered. */
export type Clicked = { readonly verb: 'confirm' | 'reject'; readonly member: string; readonly ts: string }

/** What an amended write says instead of its order's number. */
export const AMENDED = 1_000_000

/** One write, and what whoever touched it was told. */
export type Raced = {
  readonly shop: Shop
  readonly number: number
  readonly actionId: string
  readonly said: Said[]
  readonly clicked: Clicked[]
  /** The writes that took its place, as whoever amended it was told. */
  readonly replacedBy: string[]
}

export type Verdict = {
  readonly performedTwice: number
  /** Sent with arguments that are not those of its row, or that nobody approved. */
  readonly notApproved: number
  /** Answers and clicks of which no row is true, and clicks that nobody settled. */
  readonly lost: number
  readonly leftOpen: number
  /** Messages that we know of, about writes that have ended, and that still have buttons. */
  readonly staleMessages: number
  /** Of writes that were sent twice, because their process was killed while Slack took the message. */
  readonly sentTwice: number
  readonly executed: number
  readonly executedBySlack: number
  readonly amended: number
  readonly rejected: number
  readonly examples: readonly string[]
}

type ActionRow = {
  tenantId: number
  actionId: string
  state: string
  replaces: string | null
  replacedBy: string | null
  approved: boolean
  sources: string | null
  number: string
}
export const actionsOf = unlisted<ActionRow, { tenantIds: readonly number[] }>(
  'proof.clicked_actions',
  `select a.tenant_id as "tenantId", a.action_id as "actionId", a.state, a.replaces, a.replaced_by as "replacedBy", a.arguments::json ->> 'number' as number,
          exists (select 1 from audit_events e where e.tenant_id = a.tenant_id and e.action_id = a.action_id
                   and e.event = 'approved' and e.payload_hash = a.payload_hash) as approved,
          (select string_agg(e.source, ' ') from audit_events e where e.tenant_id = a.tenant_id and e.action_id = a.action_id
              and e.event = 'executed') as sources
     from actions a where a.tenant_id = any ($tenantIds::int[])`,
)

type ClickRow = { actionId: string; memberId: string; verb: string; outcome: string | null }
const clicksOf = unlisted<ClickRow, { tenantIds: readonly number[] }>(
  'proof.clicks',
  `select p.action_id as "actionId", k.member_id as "memberId", k.verb, k.outcome
     from slack_clicks k join notice_posts p on p.tenant_id = k.tenant_id and p.post_id = k.post_id
    where k.tenant_id = any ($tenantIds::int[])`,
)

const openWork = unlisted<{ clicks: number; posts: number }, { tenantIds: readonly number[] }>(
  'proof.open_clicks_and_posts',
  `select (select count(*)::int from slack_clicks where tenant_id = any ($tenantIds::int[]) and settled_at is null) as clicks,
          (select count(*)::int from notice_posts where tenant_id = any ($tenantIds::int[]) and done_at is null) as posts`,
)

const messagesOf = unlisted<{ actionId: string; message: string | null }, { tenantIds: readonly number[] }>(
  'proof.messages',
  `select action_id as "actionId", message from notice_posts where tenant_id = any ($tenantIds::int[])`,
)

type Seen = {
  readonly raced: readonly Raced[]
  readonly sent: ReadonlyMap<string, readonly unknown[]>
  readonly receiver: Receiver
  readonly slack: SlackServer
  readonly shops: readonly Shop[]
}

/** Goes on for as long as something gets less: a busy machine is slow. */
const STANDS_STILL_MS = 60_000

export async function judgeClicks(db: Database, { raced, sent, receiver, slack, shops }: Seen): Promise<Verdict> {
  const tenantIds = shops.map(({ tenantId }) => tenantId)
  await settledClicks(db, tenantIds)
  const rows = await db.rows(actionsOf, { tenantIds })
  const byId = new Map(rows.map((row) => [row.actionId, row]))
  const clicks = Map.groupBy(await db.rows(clicksOf, { tenantIds }), ({ actionId }) => actionId)
  const examples: string[] = []
  const note = (found: readonly string[]): number => {
    examples.push(...found.slice(0, Math.max(0, 5 - examples.length)))
    return found.length
  }
  const messages = await db.rows(messagesOf, { tenantIds })
  const count = (is: (row: ActionRow) => boolean) => rows.filter(is).length
  return {
    performedTwice: note(raced.flatMap((one) => twice(one, rows, byId, receiver))),
    notApproved: note(rows.flatMap((row) => wrongly(row, sent))),
    lost: note(raced.flatMap((one) => lostOf(one, byId, clicks.get(one.actionId) ?? []))),
    leftOpen: count(({ state }) => state === 'pending' || state === 'executing' || state === 'indeterminate'),
    staleMessages: note(staleAmong(messages, byId, slack)),
    sentTwice: slack.messages.length - messages.filter(({ message }) => message !== null).length,
    executed: count(({ state }) => state === 'executed'),
    executedBySlack: count(({ state, sources }) => state === 'executed' && sources === 'slack'),
    amended: count(({ replacedBy }) => replacedBy !== null),
    rejected: count(({ state, replacedBy }) => state === 'rejected' && replacedBy === null),
    examples,
  }
}

async function settledClicks(db: Database, tenantIds: readonly number[]): Promise<void> {
  let [fewest, since] = [Number.POSITIVE_INFINITY, Date.now()]
  await until(async () => {
    const open = await db.one(openWork, { tenantIds })
    const left = (open?.clicks ?? 0) + (open?.posts ?? 0)
    if (left < fewest) [fewest, since] = [left, Date.now()]
    return left === 0 || Date.now() - since > STANDS_STILL_MS
  }, 3_600_000)
}

/** Of a write and what took its place at most one was performed, and that once. */
function twice(
  { actionId, number }: Raced,
  rows: readonly ActionRow[],
  byId: ReadonlyMap<string, ActionRow>,
  receiver: Receiver,
): string[] {
  const replacedBy = byId.get(actionId)?.replacedBy ?? null
  const performed = [actionId, ...(replacedBy === null ? [] : [replacedBy])].map((id) =>
    receiver.entriesOf(id).reduce((sum, entry) => sum + entry.performed, 0),
  )
  const times = performed.reduce((sum, one) => sum + one, 0)
  return times > 1 ? [`${number} of ${rows.length}: performed ${performed.join(' and ')} times`] : []
}

function wrongly({ actionId, number, approved, replaces }: ActionRow, sent: Seen['sent']): string[] {
  const given = sent.get(actionId) ?? []
  if (given.length === 0) return []
  const isOwn = given.every((one) => String(one) === number) && Number(number) >= AMENDED === (replaces !== null)
  return approved && isOwn ? [] : [`${actionId}: sent ${JSON.stringify(given)}, is ${number}, approved ${approved}`]
}

/** What an answer or a click came to, as a state of the row that it is about. */
const MEANS: Readonly<Record<string, string>> = { Executed: 'executed', Replayed: 'executed', Rejected: 'rejected' }

function lostOf(
  { number, actionId, said, clicked, replacedBy }: Raced,
  byId: ReadonlyMap<string, ActionRow>,
  clicks: readonly ClickRow[],
): string[] {
  const row = byId.get(actionId)
  if (row === undefined) return [`${number}: its row is gone`]
  const isTrue = (outcome: string): boolean =>
    outcome === 'amended' ? row.replacedBy !== null : (MEANS[outcome] ?? row.state) === row.state
  return [
    ...said.flatMap(({ status }) => (isTrue(status) ? [] : [`${number}: told ${status}, and it is ${row.state}`])),
    ...replacedBy.flatMap((id) =>
      row.replacedBy === id ? [] : [`${number}: told ${id}, replaced by ${row.replacedBy}`],
    ),
    ...clicked.flatMap(({ member, verb }) => {
      const found = clicks.find((one) => one.memberId === member && one.verb === verb)
      if (found?.outcome == null) return [`${number}: the ${verb} of ${member} was answered, and is not settled`]
      return isTrue(found.outcome) ? [] : [`${number}: a click came to ${found.outcome}, and it is ${row.state}`]
    }),
  ]
}

const ENDED = new Set(['executed', 'failed', 'rejected', 'expired', 'precondition_failed'])

function staleAmong(
  messages: readonly { actionId: string; message: string | null }[],
  byId: ReadonlyMap<string, ActionRow>,
  slack: SlackServer,
): string[] {
  const known = new Map(messages.map(({ message, actionId }) => [message, actionId]))
  return slack.messages.flatMap((message) => {
    const row = byId.get(known.get(message.ts) ?? '')
    const isStale = row !== undefined && ENDED.has(row.state) && buttonOf(message, 'reject') !== undefined
    return isStale ? [`${row.actionId}: ${row.state}, and its message still has buttons`] : []
  })
}
