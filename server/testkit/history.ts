// What a workspace that is not new holds besides the rows of a test: colleagues, and rows from before every window.
import { type Database, unlisted } from '../src/kernel/db/index.ts'

/** Their userIds, which no test states. */
export const COLLEAGUE = 6001
export const FORMER_COLLEAGUE = 6002

/** The conversation, the event and the question of the old rows. */
export const EARLIER_SESSION = 'ses_earlier'
export const EARLIER_QUESTION = 'An earlier question.'
export const EARLIER_EVENT = 'evt_earlier'

const insertColleagues = unlisted<unknown, { tenantId: number }>(
  'test.insert_colleagues',
  `insert into users (tenant_id, user_id, display_name, email, role, active, created_at, email_since)
   select $tenantId::int, c.user_id, c.display_name, c.email, 'colleague', c.active, now() - interval '100 days', now() - interval '100 days'
     from (values (${COLLEAGUE}, 'Maka Colleague', 'maka@colleagues.example', true),
                  (${FORMER_COLLEAGUE}, 'Zura Colleague', 'zura@colleagues.example', false)) as c (user_id, display_name, email, active)`,
)

/** Registers an active and an inactive person, so that a query without its person or without `active` finds one too many. */
export const placeColleagues = (db: Database, tenantId: number) => db.run(insertColleagues, { tenantId })

// As in neighbour.sql, the rows are older than the windows of pages and limits, and younger than the retention periods of tests.
const insertHistory = unlisted<unknown, { tenantId: number }>(
  'test.insert_history',
  `with action as (
     insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, hash_version, risk, state, subject,
                          session_id, idempotency_key, attempts, created_at, expires_at, settled_at)
     values ($tenantId::int, gen_random_uuid(), 'earlier_write', 'general', 'Earlier write', 'Earlier write', '{}', 'earlier-hash', 2, 'low',
             'expired', 'earlier-customer', '${EARLIER_SESSION}', 'act_earlier', 0, now() - interval '120 days', now() - interval '119 days',
             now() - interval '119 days')
   ), session as (
     insert into sessions (tenant_id, session_id, owner_kind, owner, language, exchanges, created_at, last_at)
     values ($tenantId::int, '${EARLIER_SESSION}', 'customer', 'earlier-customer', 'ka', 1, now() - interval '20 days', now() - interval '20 days')
   ), exchange as (
     insert into exchanges (tenant_id, session_id, number, request_id, prompt, reply, used_tools, answered, at)
     values ($tenantId::int, '${EARLIER_SESSION}', 1, 'req_earlier', '${EARLIER_QUESTION}', 'An earlier answer.', '{}', false, now() - interval '20 days')
   ), message as (
     insert into conversation_messages (tenant_id, message_id, session_id, author, text, at)
     values ($tenantId::int, 'msg_earlier', '${EARLIER_SESSION}', 'person', 'An earlier message.', now() - interval '20 days')
   ), delivery as (
     insert into deliveries (tenant_id, outbox_id, event_id, event, url, destination, delivered, status_code, duration_ms, attempted_at, attempt)
     values ($tenantId::int, 1, '${EARLIER_EVENT}', 'action.expired', 'https://earlier.example/', 'tool_endpoint', false, 500, 40,
             now() - interval '20 days', 1)
   ), mail as (
     insert into mails (tenant_id, mail_id, kind, language, recipient_hash, state, created_at, due_at, attempt)
     values ($tenantId::int, 'evt_earlier_mail', 'sign_in', 'en', 'earlier-recipient', 'dropped', now() - interval '20 days',
             now() - interval '20 days', 1)
   ), call as (
     insert into tool_calls (tenant_id, at, request_id, tool, domain, surface, status, http_status, attempts, duration_ms)
     values ($tenantId::int, now() - interval '5 days', 'req_earlier', 'earlier_read', 'general', 'chat', 'ok', 200, 1, 40)
   ), turn as (
     insert into turn_records (tenant_id, record_id, at, request_id, session_id, surface, source, client, plan, kind, result_path, rounds,
                               tool_calls, proposals, handed_off, answered, preview, input_tokens, output_tokens, model, duration_ms)
     values ($tenantId::int, gen_random_uuid(), now() - interval '45 days', 'req_earlier', '${EARLIER_SESSION}', 'chat', 'POST /v1/chat', 'web',
             'Growth', 'secret', 'ok', 1, 0, 0, false, false, false, 600, 10, 'played', 30)
   ), usage as (
     insert into usage_rows (tenant_id, usage_id, at, request_id, purpose, model, input_tokens, output_tokens, cost_usd)
     values ($tenantId::int, gen_random_uuid(), now() - interval '45 days', 'req_earlier', 'turn', 'played', 600, 10, 0.01)
   )
   insert into spend (tenant_id, period, spent_usd)
   select $tenantId::int, to_char(at, format), 0.01
     from (select now() at time zone 'UTC' - interval '45 days' as at) as earlier
    cross join (values ('YYYY-MM'), ('YYYY-MM-DD')) as f (format)`,
)

// By itself, because a trigger copies the beginning of the conversation.
const insertRating = unlisted<unknown, { tenantId: number }>(
  'test.insert_old_rating',
  `insert into feedback (tenant_id, request_id, session_id, rating, customer_id, created_at, updated_at)
   values ($tenantId::int, 'req_earlier', '${EARLIER_SESSION}', 'down', 'earlier-customer', now() - interval '20 days',
           now() - interval '20 days')`,
)

/** Adds an old row to each table whose queries have a window: a query that lost its window returns a row too many. */
export async function placeHistory(db: Database, tenantId: number): Promise<void> {
  await db.run(insertHistory, { tenantId })
  await db.run(insertRating, { tenantId })
}
