import type { Language, ResultPath } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { SWEEP } from '../../tenancy/jobs/index.ts'

// Whoever writes for a tenant holds a shared lock on its row, so that a deletion leaves nothing behind.
const living = `select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share`

export const insertSession = statement<
  { sessionId: string },
  { tenantId: number; sessionId: string; ownerKind: string; owner: string }
>(
  'chat.insert_session',
  `with living as (${living})
   insert into sessions (tenant_id, session_id, owner_kind, owner)
   select tenant_id, $sessionId::text, $ownerKind::text, $owner::text from living
   returning session_id as "sessionId"`,
)

type ExchangeRow = { number: number; prompt: string; reply: string; usedTools: string[] }
/** What a person wrote to the visitor, or the visitor to them while the assistant was silent. */
type SaidRow = { author: 'person' | 'visitor'; name: string | null; text: string }
export type SessionRow = {
  ownerKind: string
  owner: string
  /** As the database writes it, with its microseconds. */
  lastAt: string
  /** The decided proposals that its answers told of. Null in a conversation without an answer since we keep them. */
  toldActions: string[] | null
  summary: string | null
  summarisedTo: number
  exchanges: ExchangeRow[]
  /** True while a person has taken over. */
  takenOver: boolean
  said: SaidRow[]
}

// We show a model only the beginning of a long earlier answer.
const SHOWN = 4000
/** And no more than these of what people and the visitor said to each other. */
const MOST_SAID = 20

/** Loads a conversation with its latest exchanges that are not yet in the summary. */
export const loadSession = statement<SessionRow, { tenantId: number; sessionId: string; most: number }>(
  'chat.load_session',
  `select s.owner_kind as "ownerKind", s.owner, s.last_at::text as "lastAt", s.told_actions as "toldActions", s.summary, s.summarised_to as "summarisedTo",
          coalesce((select json_agg(row_to_json(latest) order by latest.number) from (
            select e.number, e.prompt, left(e.reply, ${SHOWN}) as reply, e.used_tools as "usedTools" from exchanges e
             where e.tenant_id = $tenantId::int and e.session_id = $sessionId::text and e.number > s.summarised_to
               and e.result_path = 'ok'
             order by e.number desc limit $most::int) latest), '[]') as exchanges,
          coalesce(s.taken_over_until > now(), false) as "takenOver",
          case when s.messaged_at is null then '[]' else coalesce((select json_agg(row_to_json(latest) order by latest.at) from (
            select m.author, m.at, left(m.text, ${SHOWN}) as text,
                   (select u.display_name from users u where u.tenant_id = $tenantId::int and u.id = m.person_id) as name
              from conversation_messages m
             where m.tenant_id = $tenantId::int and m.session_id = $sessionId::text
             order by m.at desc limit ${MOST_SAID}) latest), '[]') end as said
     from sessions s
    where s.tenant_id = $tenantId::int and s.session_id = $sessionId::text`,
)

/** Keeps the next exchange of a conversation, unless the conversation has been deleted meanwhile. */
export const keepExchange = statement<
  { exchanges: number; summarisedTo: number },
  {
    tenantId: number
    sessionId: string
    requestId: string
    prompt: string
    reply: string
    usedTools: string[]
    answered: boolean
    resultPath: ResultPath
    language: Language
    blocks: string
    toolCalls: string
    handoff: string | null
    told: string[]
  }
>(
  'chat.keep_exchange',
  `with living as (${living}), moved as (
     update sessions s set exchanges = s.exchanges + 1, last_at = now(), language = $language::text,
            told_actions = array(select distinct unnest(s.told_actions || $told::uuid[]))
       from living l
      where s.tenant_id = l.tenant_id and s.tenant_id = $tenantId::int and s.session_id = $sessionId::text
     returning s.tenant_id, s.session_id, s.exchanges, s.summarised_to
   ), kept as (
     insert into exchanges (tenant_id, session_id, number, request_id, prompt, reply, used_tools, answered, result_path,
                            blocks, tool_calls, handoff)
     select tenant_id, session_id, exchanges, $requestId::text, $prompt::text, $reply::text, $usedTools::text[],
            $answered::boolean, $resultPath::text, $blocks::text, $toolCalls::text, $handoff::text
       from moved
   )
   select exchanges, summarised_to as "summarisedTo" from moved`,
)

/** If somebody else summarised in between, their summary stays. */
export const keepSummary = statement<
  unknown,
  { tenantId: number; sessionId: string; from: number; to: number; summary: string }
>(
  'chat.keep_summary',
  `update sessions set summary = $summary::text, summarised_to = $to::int
    where tenant_id = $tenantId::int and session_id = $sessionId::text and summarised_to = $from::int`,
)

const ERASED = {
  conversation_messages: 'an erased conversation takes its messages along',
  undelivered_events: 'an erased conversation takes the events that quote it along',
}

/** Deletes conversations with everything that was said and rated in them, also where it stands in an event that was given up. */
const erased = (which: string) => `
   with gone as (
     delete from sessions s where s.tenant_id = $tenantId::int and ${which} returning s.session_id
   ), said as (
     delete from exchanges e using gone g where e.tenant_id = $tenantId::int and e.session_id = g.session_id
   ), written as (
     delete from conversation_messages m using gone g where m.tenant_id = $tenantId::int and m.session_id = g.session_id
   ), untold as (
     delete from undelivered_events u using gone g
      where u.tenant_id = $tenantId::int and u.session_id = g.session_id and u.event like 'conversation.%'
   ), rated as (
     delete from feedback f using gone g where f.tenant_id = $tenantId::int and f.session_id = g.session_id
   )
   select count(*)::int as taken from gone`

export const eraseSession = statement<{ taken: number }, { tenantId: number; sessionId: string }>(
  'chat.erase_session',
  erased('s.session_id = $sessionId::text'),
  { guest: ERASED },
)

export const eraseCustomer = statement<{ taken: number }, { tenantId: number; customerId: string }>(
  'chat.erase_customer',
  erased(`s.owner_kind = 'customer' and s.owner = $customerId::text`),
  { guest: ERASED },
)

const cutoff = 'now() - make_interval(secs => $days::float8 * 86400)'
const IS_OLD = `d.last_at < ${cutoff} and coalesce(d.messaged_at < ${cutoff}, true)`

export const listOldSessions = statement<
  { tenantId: number; id: string },
  { passedOver: readonly number[]; limit: number; days: number }
>(
  'chat.list_old_sessions',
  `select d.tenant_id as "tenantId", d.session_id as id from sessions d
    where ${IS_OLD} and d.tenant_id <> all ($passedOver::int[])
    order by d.last_at
    limit $limit::int`,
  { looks: SWEEP },
)

export const forgetSessions = statement<{ taken: number }, { tenantId: number; ids: readonly string[]; days: number }>(
  'chat.forget_sessions',
  erased(`s.session_id in (
       select d.session_id from sessions d
        where d.tenant_id = $tenantId::int and d.session_id = any ($ids::text[]) and ${IS_OLD}
          for update skip locked)`),
  { guest: ERASED },
)
