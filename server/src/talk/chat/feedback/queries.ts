import { statement } from '../../../kernel/db/index.ts'

type AnswerRow = { ownerKind: string; owner: string }

/** Finds out whose answer it is. */
export const findAnswer = statement<AnswerRow, { tenantId: number; sessionId: string; requestId: string }>(
  'chat.find_answer',
  `select s.owner_kind as "ownerKind", s.owner
     from exchanges e
     join sessions s on s.tenant_id = $tenantId::int and s.session_id = e.session_id
    where e.tenant_id = $tenantId::int and e.session_id = $sessionId::text and e.request_id = $requestId::text`,
)

type Rating = 'up' | 'down'

/** Writes one rating of an answer at a time. No row means that another is being written. */
export const rate = statement<
  { replaced: boolean },
  {
    tenantId: number
    sessionId: string
    requestId: string
    rating: Rating
    comment: string | null
    customerId: string | null
  }
>(
  'chat.rate',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   ), answer as (
     select e.tenant_id, e.session_id, e.request_id
       from exchanges e
      where e.tenant_id = $tenantId::int and e.session_id = $sessionId::text and e.request_id = $requestId::text
        and (select count(*) from living) > 0
      for update of e skip locked
   )
   insert into feedback as f (tenant_id, session_id, request_id, rating, comment, customer_id, updated_at)
   select tenant_id, session_id, request_id, $rating::text, $comment::text, $customerId::text, now() from answer
   on conflict (tenant_id, request_id) do update
      set rating = excluded.rating, comment = excluded.comment, customer_id = excluded.customer_id,
          updated_at = excluded.updated_at
   returning f.created_at <> f.updated_at as replaced`,
)

type FeedbackRow = {
  sessionId: string
  requestId: string
  rating: Rating
  comment: string | null
  customerId: string | null
  createdAt: Date
  updatedAt: Date
}

export const listFeedback = statement<FeedbackRow, { tenantId: number; rating: Rating | null; limit: number }>(
  'chat.list_feedback',
  `select session_id as "sessionId", request_id as "requestId", rating, comment, customer_id as "customerId",
          created_at as "createdAt", updated_at as "updatedAt"
     from feedback
    where tenant_id = $tenantId::int and ($rating::text is null or rating = $rating::text)
    order by updated_at desc, request_id
    limit $limit::int`,
)

/** `date` is a UTC day. */
type RatingCount = { date: string; up: number; down: number }

/** From one midnight to another, as they were counted. */
export const listRatingDays = statement<RatingCount, { tenantId: number; from: Date; to: Date }>(
  'chat.list_rating_days',
  `select to_char(d.day, 'YYYY-MM-DD') as date, d.up, d.down from rating_days d
    where d.tenant_id = $tenantId::int and d.day >= ($from::timestamptz at time zone 'UTC')::date
      and d.day < ($to::timestamptz at time zone 'UTC')::date`,
)

/** The same by looking at every rating, for a part of a day. */
export const countRatings = statement<RatingCount, { tenantId: number; from: Date; to: Date }>(
  'chat.count_ratings',
  `select to_char(f.updated_at at time zone 'UTC', 'YYYY-MM-DD') as date,
          count(*) filter (where f.rating = 'up')::int as up, count(*) filter (where f.rating = 'down')::int as down
     from feedback f
    where f.tenant_id = $tenantId::int and f.updated_at >= $from::timestamptz and f.updated_at < $to::timestamptz
    group by 1`,
)

type UnansweredRow = { question: string; count: number; lastAskedAt: Date }

/**
 * Lists questions that got no answer, among the latest ones of a period. Those that differ only in case, punctuation or spaces count
 * as one.
 */
export const listUnanswered = statement<
  UnansweredRow,
  { tenantId: number; from: Date; to: Date; latest: number; limit: number }
>(
  'chat.list_unanswered',
  `select left(min(prompt), 300) as question, count(*)::int as count, max(at) as "lastAskedAt"
     from (select prompt, at, left(lower(trim(regexp_replace(prompt, '[[:space:][:punct:]]+', ' ', 'g'))), 300) as alike
             from (select e.prompt, e.at from exchanges e
                    where e.tenant_id = $tenantId::int and not e.answered and e.result_path = 'ok'
                      and e.at >= $from::timestamptz and e.at < $to::timestamptz
                    order by e.at desc
                    limit $latest::int) as latest) as asked
    group by alike
    order by count(*) desc, max(at) desc
    limit $limit::int`,
)
