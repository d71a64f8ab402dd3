import type { ActionState } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { type ActionRow, listedColumns } from '../actions/index.ts'
import { ACTING_PERSON, personNamed } from '../audit/index.ts'

export type ListedRow = ActionRow & {
  /** Whether more actions follow the page that this one is on. */
  readonly hasMore: boolean
}

/** What an action takes on a page, as it is written there: its arguments as they are stored, texts with their escapes, and the rest. */
const bytes = `octet_length(a.arguments) + 1000 + octet_length(to_json(concat(
            a.title, a.summary, a.rationale, a.subject, a.session_id, a.error_message, a.verification_reason))::text)`

type Listing = {
  tenantId: number
  tool: string | null
  scopeId: number | null
  before: string | null
  most: number
  mostBytes: number
}

/**
 * Up to `most` actions and `mostBytes`, and at least one. The page is cut before an argument is read, so that a list of large actions
 * takes no more memory than what it answers. Each state is looked up by itself, because the index holds each in its order.
 */
const listing = (by: 'created_at' | 'expires_at', way: 'desc' | 'asc', states: string, state: string): string => {
  const [comes, start, lowest] =
    way === 'desc'
      ? ['<', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
      : ['>', '-infinity', '00000000-0000-0000-0000-000000000000']
  const order = (of: string) => `order by ${of}${by} ${way}, ${of}action_id ${way}`
  return `with place as (
     select c.${by}, c.action_id from actions c where c.tenant_id = $tenantId::int and c.action_id = $before::uuid
   ), found as (
     select f.action_id, f.${by}, f.bytes from ${states} as s(state) cross join lateral (
       select a.action_id, a.${by}, ${bytes} as bytes from actions a
        where a.tenant_id = $tenantId::int and a.state = ${state}
          and ($tool::text is null or a.tool = $tool::text) and ($scopeId::bigint is null or a.scope_id = $scopeId::bigint)
          and (a.${by}, a.action_id) ${comes} (
                case when $before::uuid is null then '${start}' else (select ${by} from place) end,
                coalesce((select action_id from place), '${lowest}'))
        ${order('a.')}
        limit $most::int + 1) f
      ${order('f.')}
      limit $most::int + 1
   ), placed as (
     select action_id, row_number() over ranked as nth, sum(bytes) over ranked as bytes_so_far, count(*) over () as many from found
     window ranked as (${order('')} rows unbounded preceding)
   ), page as (
     select action_id, nth, many from placed where nth <= $most::int and (nth = 1 or bytes_so_far <= $mostBytes::int)
   )
   select ${listedColumns}, null::bytea as result, p.many > (select count(*) from page) as "hasMore"
     from page p join actions a on a.tenant_id = $tenantId::int and a.action_id = p.action_id
    order by p.nth`
}

/** The newest first. */
export const listActions = statement<ListedRow, Listing & { states: readonly ActionState[] }>(
  'decisions.list',
  listing('created_at', 'desc', 'unnest($states::text[])', 's.state'),
)

/** What waits; what runs out first comes first. The state is written out, because the index that has this order holds no other. */
export const listWaiting = statement<ListedRow, Listing>(
  'decisions.list_waiting',
  listing('expires_at', 'asc', `(values ('pending'))`, `'pending'`),
)

export type GivenRow = {
  at: Date
  /** Null where nobody, or nobody who is registered now, gave it. */
  id: number | null
  userId: number | null
  displayName: string | null
  email: string | null
}

/** Every yes to an action, whether or not it still counts. */
export const listApprovals = statement<GivenRow, { tenantId: number; actionId: string }>(
  'decisions.list_approvals',
  `select p.at, u.id, u.user_id as "userId", u.display_name as "displayName", u.email
     from approvals p
     left join users u on u.tenant_id = $tenantId::int and u.id = ${personNamed({ userId: 'p.user_id', at: 'p.at' })}
    where p.tenant_id = $tenantId::int and p.action_id = $actionId::uuid
    order by p.at, p.user_id`,
)

/** Those among a page's actions that the caller has approved. `outlookFor` decides whether an approval still counts. */
export const approvedAmong = statement<
  { actionId: string },
  { tenantId: number; actionIds: readonly string[]; userId: number; personId: number | null }
>(
  'decisions.approved_among',
  `select p.action_id as "actionId" from approvals p
    where p.tenant_id = $tenantId::int and p.action_id = any($actionIds::uuid[])
      and p.user_id = -(${ACTING_PERSON}) and p.user_id <> 0`,
)

/** How many wait, counted no further than anybody reads, and when the first of them runs out. */
export const countWaiting = statement<{ count: number; soonest: Date | null }, { tenantId: number; most: number }>(
  'decisions.count_waiting',
  `select count(*)::int as count, min(expires_at) as soonest from (
     select a.expires_at from actions a
      where a.tenant_id = $tenantId::int and a.state = 'pending' and a.expires_at > now()
      order by a.expires_at
      limit $most::int) waiting`,
)

export const latestExchanges = statement<
  { prompt: string; reply: string; at: Date },
  { tenantId: number; sessionId: string; most: number; longest: number }
>(
  'decisions.latest_exchanges',
  `select left(e.prompt, $longest::int) as prompt, left(e.reply, $longest::int) as reply, e.at from exchanges e
    where e.tenant_id = $tenantId::int and e.session_id = $sessionId::text
    order by e.number desc
    limit $most::int`,
)
