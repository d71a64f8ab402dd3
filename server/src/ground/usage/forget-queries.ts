import { statement } from '../../foundation/db/index.ts'

type Look = { passedOver: readonly number[]; limit: number; days: number }
type Found = { tenantId: number; id: string }
type Taken = { tenantId: number; ids: readonly string[]; days: number }

const isPast = 'at < now() - make_interval(secs => $days::float8 * 86400)'

const listOld = (name: string, table: string, id: string) =>
  statement<Found, Look>(
    name,
    `select tenant_id as "tenantId", ${id}::text as id from ${table}
    where ${isPast} and tenant_id <> all ($passedOver::int[])
    order by at
    limit $limit::int`,
  )

const forget = (name: string, table: string, id: string) =>
  statement<{ taken: number }, Taken>(
    name,
    `with old as (
     select ${id} as id from ${table}
      where tenant_id = $tenantId::int and ${id} = any ($ids::uuid[]) and ${isPast}
      for update skip locked
   ), gone as (
     delete from ${table} r using old where r.tenant_id = $tenantId::int and r.${id} = old.id returning 1
   )
   select count(*)::int as taken from gone`,
  )

export const listOldTurns = listOld('usage.list_old_turns', 'turn_records', 'record_id')
export const forgetTurns = forget('usage.forget_turns', 'turn_records', 'record_id')

export const listOldRows = listOld('usage.list_old_rows', 'usage_rows', 'usage_id')
export const forgetRows = forget('usage.forget_rows', 'usage_rows', 'usage_id')

const dayIsPast = 'day < current_date - $days::int'

/** A conversation on a day: the day in ten characters, a space, and its id. */
export const listOldDays = statement<Found, Look>(
  'usage.list_old_days',
  `select tenant_id as "tenantId", to_char(day, 'YYYY-MM-DD') || ' ' || session_id as id from conversation_days
    where ${dayIsPast} and tenant_id <> all ($passedOver::int[])
    order by day
    limit $limit::int`,
)

export const forgetDays = statement<{ taken: number }, Taken>(
  'usage.forget_days',
  `with old as (
     select d.day, d.session_id from conversation_days d
      where d.tenant_id = $tenantId::int and ${dayIsPast}
        and d.session_id = any (array(select substr(i.id, 12) from unnest($ids::text[]) as i (id)))
        and to_char(d.day, 'YYYY-MM-DD ') || d.session_id = any ($ids::text[])
      for update of d skip locked
   ), gone as (
     delete from conversation_days d using old
      where d.tenant_id = $tenantId::int and d.day = old.day and d.session_id = old.session_id
     returning 1
   )
   select count(*)::int as taken from gone`,
)
