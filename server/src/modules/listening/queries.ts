import { statement } from '../../kernel/db/index.ts'
import { SWEEP } from '../../tenancy/jobs/index.ts'

/** Which of them a listener asks for. */
export type LineOf = { readonly tenantId: number; readonly epoch: string; readonly listener: string }

/** Between two questions of a listener, and while its line is gone for a moment. */
export const PRESENT_SECONDS = 15

type RequestOf = { readonly tenantId: number; readonly epoch: string; readonly number: number }

/** A tenant that is being deleted is waited for, and gets no row. */
const LIVING = `living as (
     select t.tenant_id from tenants t where t.tenant_id = $tenantId::int and t.deleted_at is null for key share
   )`

/**
 * For what one instance says for all of its lines in turn: a tenant that is being deleted, which may take minutes, is passed over, and
 * holds up no other.
 */
const NOT_HELD = `living as (
     select t.tenant_id from tenants t where t.tenant_id = $tenantId::int and t.deleted_at is null for key share skip locked
   )`

export type LineRow = { epoch: string; last: number }

/**
 * Lets a listener in who asks. There is no row where another one has taken over: whoever comes anew takes over, and so does whoever
 * comes from an earlier line while nobody is there.
 */
export const letIn = statement<
  LineRow,
  { tenantId: number; listener: string; newEpoch: string; askedEpoch: string | null }
>(
  'listening.let_in',
  `with ${LIVING}
   insert into listener_lines as l (tenant_id, epoch, listener, asked_epoch, seen_at)
   select tenant_id, $newEpoch::text, $listener::text, $askedEpoch::text, now() from living
   on conflict (tenant_id) do update
      set listener = excluded.listener, asked_epoch = excluded.asked_epoch, seen_at = excluded.seen_at
    where l.listener = excluded.listener or excluded.asked_epoch is null
       or (excluded.asked_epoch <> l.epoch and excluded.seen_at - l.seen_at > interval '${PRESENT_SECONDS} seconds')
   returning l.epoch, l.last`,
)

/** The lines of those who wait on this instance. */
export const look = statement<
  { tenantId: number; epoch: string; listener: string; last: number },
  { tenantIds: readonly number[] }
>(
  'listening.look',
  `select l.tenant_id as "tenantId", l.epoch, l.listener, l.last from listener_lines l
    where l.tenant_id = any ($tenantIds::int[])`,
  { looks: 'reads the lines of all listeners that wait on this instance' },
)

export const isPresent = statement<{ tenantId: number }, { tenantId: number }>(
  'listening.is_present',
  `select l.tenant_id as "tenantId" from listener_lines l
    where l.tenant_id = $tenantId::int and l.seen_at > now() - interval '${PRESENT_SECONDS} seconds'`,
)

/** Says that the listener is there. No row: it has been displaced, or the line is gone. */
export const seen = statement<unknown, LineOf>(
  'listening.seen',
  `with ${NOT_HELD}
   update listener_lines l set seen_at = now()
     from living v
    where l.tenant_id = $tenantId::int and v.tenant_id = l.tenant_id and l.epoch = $epoch::text and l.listener = $listener::text`,
)

/** Puts one request on the line, if a listener is there and has not too much in hand. Their numbers are committed in order. */
export const putOn = statement<
  { epoch: string; number: number },
  {
    tenantId: number
    sealId: string
    request: string
    bytes: number
    mostOpen: number
    awaitedSeconds: number
  }
>(
  'listening.put_on',
  `with ${LIVING}, line as (
     update listener_lines l set last = l.last + 1
       from living v
      where l.tenant_id = $tenantId::int and v.tenant_id = l.tenant_id
        and l.seen_at > now() - interval '${PRESENT_SECONDS} seconds'
        and (select count(*) from listener_requests r where r.tenant_id = $tenantId::int and r.awaited_until > now()) < $mostOpen::int
     returning l.tenant_id, l.epoch, l.last
   )
   insert into listener_requests (tenant_id, epoch, number, seal_id, request, bytes, awaited_until)
   select tenant_id, epoch, last, $sealId::text, $request::text, $bytes::int, now() + make_interval(secs => $awaitedSeconds::float8)
     from line
   returning epoch, number`,
)

export type GivenRow = { number: number; sealId: string; request: string }

/** Gives a listener what came after that number and still waits, as much as one answer holds, and keeps that it was given. */
export const give = statement<GivenRow, LineOf & { received: number; most: number; mostBytes: number }>(
  'listening.give',
  `with ${LIVING}, waiting as (
     select r.number, row_number() over (order by r.number) as place, sum(r.bytes) over (order by r.number) as bytes
       from listener_requests r join living v on v.tenant_id = r.tenant_id
       join listener_lines l on l.tenant_id = r.tenant_id and l.epoch = r.epoch
      where r.tenant_id = $tenantId::int and l.tenant_id = $tenantId::int and r.epoch = $epoch::text
        and l.listener = $listener::text and r.number > $received::int and r.answer is null and r.awaited_until > now()
   ), given as (
     update listener_requests g set given = true
       from waiting w
      where g.tenant_id = $tenantId::int and g.epoch = $epoch::text and g.number = w.number and g.answer is null
        and (w.place = 1 or (w.place <= $most::int and w.bytes <= $mostBytes::bigint))
     returning g.number, g.seal_id, g.request
   )
   select number, seal_id as "sealId", request from given order by number`,
)

/** Keeps what the machine answered, once, where somebody still waits for it. The request is not needed any longer. */
export const keepAnswers = statement<
  { number: number },
  LineOf & { numbers: readonly number[]; answers: readonly string[] }
>(
  'listening.keep_answers',
  `with ${LIVING}, line as (
     update listener_lines l set seen_at = now()
       from living v
      where l.tenant_id = $tenantId::int and v.tenant_id = l.tenant_id and l.epoch = $epoch::text and l.listener = $listener::text
     returning l.tenant_id
   )
   update listener_requests r set answer = s.answer, request = null
     from unnest($numbers::int[], $answers::text[]) as s (number, answer), line l
    where r.tenant_id = $tenantId::int and l.tenant_id = r.tenant_id and r.epoch = $epoch::text and r.number = s.number
      and r.answer is null and r.awaited_until > now()
   returning r.number`,
)

/** The answers to what waits in this process. */
export const readAnswers = statement<
  { tenantId: number; epoch: string; number: number; answer: string },
  { tenantIds: readonly number[]; epochs: readonly string[]; numbers: readonly number[] }
>(
  'listening.read_answers',
  `select r.tenant_id as "tenantId", r.epoch, r.number, r.answer
     from unnest($tenantIds::int[], $epochs::text[], $numbers::int[]) as w (tenant_id, epoch, number)
     join listener_requests r on r.tenant_id = w.tenant_id and r.epoch = w.epoch and r.number = w.number
    where r.answer is not null`,
  { looks: 'reads the answers that this instance waits for, each by tenant, line and number' },
)

/** Says that this process still waits, and of which of them the rows are still there. */
export const stillAwaited = statement<
  { number: number },
  { tenantId: number; epoch: string; numbers: readonly number[]; awaitedSeconds: number }
>(
  'listening.still_awaited',
  `with ${NOT_HELD}, said as (
     update listener_requests r set awaited_until = now() + make_interval(secs => $awaitedSeconds::float8)
       from living v
      where r.tenant_id = $tenantId::int and v.tenant_id = r.tenant_id and r.epoch = $epoch::text and r.number = any ($numbers::int[])
   )
   select k.number from listener_requests k
    where k.tenant_id = $tenantId::int and k.epoch = $epoch::text and k.number = any ($numbers::int[])`,
)

/** Whoever waited does so no longer. What had not been given by then is given to nobody. */
export const takeOff = statement<{ given: boolean; answer: string | null }, RequestOf>(
  'listening.take_off',
  `delete from listener_requests r
    where r.tenant_id = $tenantId::int and r.epoch = $epoch::text and r.number = $number::int
   returning r.given, r.answer`,
)

type Looked = { readonly passedOver: readonly number[]; readonly limit: number; readonly seconds: number }
type Taking = { readonly tenantId: number; readonly ids: readonly string[]; readonly seconds: number }

const IS_LEFT = 'r.awaited_until < now() - make_interval(secs => $seconds::float8)'

/** What processes left behind that were killed while they waited, by its line. */
export const listLeft = statement<{ tenantId: number; id: string }, Looked>(
  'listening.list_left',
  `select distinct r.tenant_id as "tenantId", r.epoch as id from listener_requests r
    where ${IS_LEFT} and r.tenant_id <> all ($passedOver::int[])
    limit $limit::int`,
  { looks: SWEEP },
)

export const forgetLeft = statement<{ taken: number }, Taking>(
  'listening.forget_left',
  `with gone as (
     delete from listener_requests r
      where r.tenant_id = $tenantId::int and r.epoch = any ($ids::text[]) and ${IS_LEFT}
     returning r.number
   ) select count(*)::int as taken from gone`,
)

const IS_SILENT = 'l.seen_at < now() - make_interval(secs => $seconds::float8)'

export const listSilent = statement<{ tenantId: number; id: string }, Looked>(
  'listening.list_silent',
  `select l.tenant_id as "tenantId", l.epoch as id from listener_lines l
    where ${IS_SILENT} and l.tenant_id <> all ($passedOver::int[])
    limit $limit::int`,
  { looks: SWEEP },
)

export const forgetSilent = statement<{ taken: number }, Taking>(
  'listening.forget_silent',
  `with gone as (
     delete from listener_lines l
      where l.tenant_id = $tenantId::int and l.epoch = any ($ids::text[]) and ${IS_SILENT}
     returning l.tenant_id
   ) select count(*)::int as taken from gone`,
)
