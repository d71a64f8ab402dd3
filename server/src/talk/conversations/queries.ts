import type { Language } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { announced, EVENT, EVENTS_BELL } from '../../tenancy/outbox/index.ts'

const living = `select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share`

const ofSession = 's.tenant_id = $tenantId::int and s.session_id = $sessionId::text'

/** The person whom the caller names, if they are registered and active. Nobody at all is in order, too. */
const named = 'select u.id from users u where u.tenant_id = $tenantId::int and u.user_id = $userId::bigint and u.active'
const ifKnown = `($userId::bigint is null or exists (${named}))`

/** The visitor's latest turn, whoever heard it. */
const latestTurn = `
   select w.request_id from (
     (select e.request_id, e.at from exchanges e
       where e.tenant_id = $tenantId::int and e.session_id = $sessionId::text order by e.number desc limit 1)
     union all
     (select m.request_id, m.at from conversation_messages m
       where m.tenant_id = $tenantId::int and m.session_id = $sessionId::text and m.author = 'visitor'
       order by m.at desc limit 1)
   ) w order by w.at desc limit 1`

const nameOf = (person: string) =>
  `(select u.display_name from users u where u.tenant_id = $tenantId::int and u.id = ${person}) as name`

export type TakeoverRow = {
  /** Null where nobody has taken over, or that has lapsed. */
  takenOverUntil: Date | null
  /** Null where nobody was named, or they are no longer registered. */
  takenOverByName: string | null
}
export const takeoverColumns = `case when s.taken_over_until > now() then s.taken_over_until end as "takenOverUntil",
          (select u.display_name from users u where u.tenant_id = $tenantId::int and u.id = s.taken_over_by)
            as "takenOverByName"`

export type MessageRow = {
  id: string
  name: string | null
  text: string
  at: Date
  after: string | null
}
export const messageColumns = `m.message_id as id, ${nameOf('m.person_id')}, m.text, m.at, m.follows as after`

/** No row: there is no such conversation, no such person, or this key has written already. */
export const insertMessage = statement<
  MessageRow,
  {
    tenantId: number
    sessionId: string
    messageId: string
    messageKey: string | null
    userId: number | null
    text: string
    seconds: number
  }
>(
  'conversations.insert_message',
  `with living as (${living}), moved as (
     update sessions s
        set messaged_at = now(),
            taken_over_until = case when s.taken_over_until > moment.at then moment.later end
       from living l, (select now() as at, now() + make_interval(secs => $seconds::float8) as later) as moment
      where s.tenant_id = l.tenant_id and ${ofSession} and ${ifKnown}
     returning s.tenant_id, s.session_id
   ), m as (
     insert into conversation_messages (tenant_id, message_id, session_id, author, person_id, message_key, follows, text)
     select tenant_id, $messageId::text, session_id, 'person', (${named}), $messageKey::text, (${latestTurn}), $text::text
       from moved
     on conflict (tenant_id, session_id, message_key) where message_key is not null do nothing
     returning message_id, person_id, text, at, follows
   )
   select ${messageColumns} from m`,
  { guest: { sessions: 'each turn reads from its conversation who answers' } },
)

export const findMessage = statement<MessageRow, { tenantId: number; sessionId: string; messageKey: string }>(
  'conversations.find_message',
  `select ${messageColumns} from conversation_messages m
    where m.tenant_id = $tenantId::int and m.session_id = $sessionId::text and m.message_key = $messageKey::text`,
)

/** The latest ones that people wrote after a moment, which is in microseconds; the oldest first. */
export const listMessages = statement<
  MessageRow & { number: number },
  { tenantId: number; sessionId: string; after: number; limit: number }
>(
  'conversations.list_messages',
  `select * from (
     select ${messageColumns}, (extract(epoch from m.at) * 1000000)::float8 as number
       from conversation_messages m
      where m.tenant_id = $tenantId::int and m.session_id = $sessionId::text and m.author = 'person'
        and m.at > timestamptz 'epoch' + $after::float8 * interval '1 microsecond'
      order by m.at desc
      limit $limit::int) latest
    order by at`,
)

/**
 * Keeps and announces what a visitor says while a person has taken over. No row: nobody has, any longer, and the assistant answers.
 */
export const insertWords = statement<
  { messageId: string },
  {
    tenantId: number
    sessionId: string
    messageId: string
    requestId: string
    text: string
    language: Language
    eventId: string
  }
>(
  'conversations.insert_words',
  `with living as (${living}), moved as (
     update sessions s set messaged_at = now(), language = $language::text
       from living l
      where s.tenant_id = l.tenant_id and ${ofSession} and s.taken_over_until > now()
     returning s.tenant_id, s.session_id, case when s.owner_kind = 'customer' then s.owner end as customer_id
   ), kept as (
     insert into conversation_messages (tenant_id, message_id, session_id, author, request_id, text)
     select tenant_id, $messageId::text, session_id, 'visitor', $requestId::text, $text::text from moved
   ), told as (
     ${announced('moved', {
       event: `'conversation.message'`,
       eventId: '$eventId::text',
       sessionId: 'session_id',
       fields: `json_build_object('message_id', $messageId::text, 'text', $text::text, 'customer_id', customer_id,
                  'language', $language::text)::text`,
     })}
   )
   select $messageId::text as "messageId" from moved`,
  { wakes: [EVENTS_BELL], guest: { outbox: EVENT, sessions: 'each turn reads from its conversation who answers' } },
)

export const takeOver = statement<
  TakeoverRow,
  { tenantId: number; sessionId: string; userId: number | null; seconds: number }
>(
  'conversations.take_over',
  `with living as (${living}), s as (
     update sessions s
        set taken_over_until = now() + make_interval(secs => $seconds::float8), taken_over_by = (${named})
       from living l
      where s.tenant_id = l.tenant_id and ${ofSession} and ${ifKnown}
     returning s.taken_over_until, s.taken_over_by
   )
   select ${takeoverColumns} from s`,
  { guest: { sessions: 'each turn reads from its conversation who answers' } },
)

export const release = statement<{ sessionId: string }, { tenantId: number; sessionId: string }>(
  'conversations.release',
  `update sessions s set taken_over_until = null, taken_over_by = null where ${ofSession}
   returning s.session_id as "sessionId"`,
  { guest: { sessions: 'each turn reads from its conversation who answers' } },
)

export const findTakeover = statement<TakeoverRow, { tenantId: number; sessionId: string }>(
  'conversations.find_takeover',
  `select ${takeoverColumns} from sessions s where ${ofSession}`,
)
