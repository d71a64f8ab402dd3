import type { ActionState, Language, ResultPath } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { type MessageRow, messageColumns, type TakeoverRow, takeoverColumns } from './queries.ts'

type Rating = 'up' | 'down'

const unverified = `exists (select 1 from actions a
      where a.tenant_id = $tenantId::int and a.session_id = s.session_id and a.verification_status = 'unverified')`
const handedOff = `(s.handed_off_by is not null or ${unverified})`
const rating = `(select f.rating from feedback f where f.tenant_id = $tenantId::int and f.session_id = s.session_id
      order by f.updated_at desc, f.request_id limit 1)`
const heard = `(select count(*) from conversation_messages m
      where m.tenant_id = $tenantId::int and m.session_id = s.session_id and m.author = 'visitor')`

/** A moment as its place in a list is written: with its microseconds, which a Date does not have. */
const place = (at: string, id: string): string =>
  `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || ${id}`

export type ConversationRow = {
  sessionId: string
  startedAt: Date
  lastAt: Date
  turns: number
  customerId: string | null
  handedOff: boolean
  rating: Rating | null
  language: Language | null
}
const columns = `s.session_id as "sessionId", s.created_at as "startedAt", greatest(s.last_at, s.messaged_at) as "lastAt",
          (s.exchanges + ${heard})::int as turns, case when s.owner_kind = 'customer' then s.owner end as "customerId",
          ${handedOff} as "handedOff", ${rating} as rating, s.language`

type ListedRow = ConversationRow & { place: string }
type Page = {
  tenantId: number
  from: string | null
  to: string | null
  handedOff: boolean | null
  /** The last of the page before, as `place` wrote it. */
  beforeAt: string | null
  beforeId: string | null
  limit: number
}

/** One bound and not two, because an index begins at one: the end of the period, or the page before, whichever is earlier. */
const pageEnd = `least(coalesce($beforeAt::timestamptz, 'infinity'), coalesce($to::timestamptz, 'infinity'))`

type Order = { readonly from: string; readonly at: string; readonly id: string }
const BY_START: Order = { from: 'sessions s', at: 's.created_at', id: 's.session_id' }

/** Those that began last come first. When one began never changes, so that no page misses one or shows it twice. */
const listed = (which: string, { from, at, id }: Order = BY_START): string =>
  `select ${columns}, ${place('s.created_at', 's.session_id')} as place
     from ${from}
    where s.tenant_id = $tenantId::int and ${which}
      and ${at} >= coalesce($from::timestamptz, '-infinity')
      and ($handedOff::boolean is null or ${handedOff} = $handedOff::boolean)
      and (${at}, ${id}) < (${pageEnd}, case when $beforeAt::timestamptz < coalesce($to::timestamptz, 'infinity') then $beforeId::text else '' end)
    order by ${at} desc, ${id} desc
    limit $limit::int`

export const listConversations = statement<ListedRow, Page>('conversations.list', listed('true'))

// A statement each, because the few that are looked for are found by another index.
export const listRated = statement<ListedRow, Page & { rating: Rating }>(
  'conversations.list_rated',
  listed(
    `f.rating = $rating::text and f.request_id = (
        select l.request_id from feedback l where l.tenant_id = $tenantId::int and l.session_id = f.session_id
         order by l.updated_at desc, l.request_id limit 1)`,
    {
      from: 'feedback f join sessions s on s.tenant_id = f.tenant_id and s.session_id = f.session_id and f.tenant_id = $tenantId::int',
      at: 'f.began_at',
      id: 'f.session_id',
    },
  ),
)

export const listOfCustomer = statement<ListedRow, Page & { customerId: string; rating: Rating | null }>(
  'conversations.list_of_customer',
  listed(`s.owner_kind = 'customer' and s.owner = $customerId::text
      and ($rating::text is null or ${rating} = $rating::text)`),
)

export const findConversation = statement<ConversationRow & TakeoverRow, { tenantId: number; sessionId: string }>(
  'conversations.find',
  `select ${columns}, ${takeoverColumns}
     from sessions s
    where s.tenant_id = $tenantId::int and s.session_id = $sessionId::text`,
)

export type TurnRow = {
  requestId: string
  at: Date
  prompt: string
  reply: string
  /** As JSON. Null of an exchange that was kept before we kept these. */
  blocks: string | null
  toolCalls: string | null
  handoff: string | null
  resultPath: ResultPath
  takenOver: boolean
  rating: Rating | null
  comment: string | null
  ratedAt: Date | null
  place: string
  /** Whether older turns follow this page. */
  hasMore: boolean
}

/** The latest turns, up to so many and so many bytes, and at least one; the newest first. */
export const listTurns = statement<
  TurnRow,
  {
    tenantId: number
    sessionId: string
    beforeAt: string | null
    beforeId: string | null
    most: number
    mostBytes: number
  }
>(
  'conversations.list_turns',
  `with said as (
     select e.request_id, e.at, e.prompt, e.reply, e.blocks, e.tool_calls, e.handoff, e.result_path, false as taken_over
       from exchanges e
      where e.tenant_id = $tenantId::int and e.session_id = $sessionId::text
     union all
     select m.request_id, m.at, m.text, '', '[]', '[]', null, 'ok', true
       from conversation_messages m
      where m.tenant_id = $tenantId::int and m.session_id = $sessionId::text and m.author = 'visitor'
   ), found as (
     select * from said
      where (at, request_id) < (coalesce($beforeAt::timestamptz, 'infinity'), coalesce($beforeId::text, ''))
      order by at desc, request_id desc
      limit $most::int + 1
   ), placed as (
     select *, row_number() over newest as nth, count(*) over () as many,
            sum(octet_length(prompt) + octet_length(coalesce(blocks, reply)) + 1000) over newest as bytes_so_far
       from found
     window newest as (order by at desc, request_id desc rows unbounded preceding)
   ), page as (
     select * from placed where nth <= $most::int and (nth = 1 or bytes_so_far <= $mostBytes::int)
   )
   select p.request_id as "requestId", p.at, p.prompt, case when p.blocks is null then p.reply else '' end as reply,
          p.blocks, p.tool_calls as "toolCalls", p.handoff, p.result_path as "resultPath", p.taken_over as "takenOver",
          f.rating, f.comment, f.updated_at as "ratedAt", ${place('p.at', 'p.request_id')} as place,
          p.many > (select count(*) from page) as "hasMore"
     from page p
     left join feedback f on f.tenant_id = $tenantId::int and f.request_id = p.request_id
    order by p.nth`,
)

/** What people wrote from one place in the conversation up to another, the latest first. */
export const listWritten = statement<
  MessageRow & { place: string },
  {
    tenantId: number
    sessionId: string
    sinceAt: string | null
    sinceId: string | null
    beforeAt: string | null
    beforeId: string | null
    limit: number
  }
>(
  'conversations.list_written',
  `select ${messageColumns}, ${place('m.at', 'm.message_id')} as place
     from conversation_messages m
    where m.tenant_id = $tenantId::int and m.session_id = $sessionId::text and m.author = 'person'
      and (m.at, m.message_id) >= (coalesce($sinceAt::timestamptz, '-infinity'), coalesce($sinceId::text, ''))
      and (m.at, m.message_id) < (coalesce($beforeAt::timestamptz, 'infinity'), coalesce($beforeId::text, ''))
    order by m.at desc, m.message_id desc
    limit $limit::int`,
)

export type ProposalRow = {
  actionId: string
  tool: string
  title: string
  summary: string
  status: ActionState
  reason: string | null
  createdAt: Date
  settledAt: Date | null
  verificationStatus: string | null
  verificationReason: string | null
  replaces: string | null
  /** The turn that staged it. Null of one that took the place of another. */
  requestId: string | null
}

export const listProposals = statement<ProposalRow, { tenantId: number; sessionId: string; limit: number }>(
  'conversations.list_proposals',
  `select a.action_id as "actionId", a.tool, a.title, a.summary, a.state as status, a.error_message as reason,
          a.created_at as "createdAt", a.settled_at as "settledAt", a.verification_status as "verificationStatus",
          a.verification_reason as "verificationReason", a.replaces,
          case when a.stage_key like 'turn:%' then split_part(a.stage_key, ':', 2) end as "requestId"
     from actions a
    where a.tenant_id = $tenantId::int and a.session_id = $sessionId::text
    order by a.created_at desc
    limit $limit::int`,
)
