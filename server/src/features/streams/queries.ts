import { statement } from '../../foundation/db/index.ts'

/** Rows, column by column. Where `n` is null there is nothing to keep, and the turn asks whether it should stop. */
export type Told = {
  /** The tenants of which something is written. */
  readonly saying: readonly number[]
  /** Of each row. */
  readonly tenantIds: readonly number[]
  readonly requestIds: readonly string[]
  readonly ns: readonly (number | null)[]
  readonly data: readonly (string | null)[]
  readonly over: readonly boolean[]
  /** Says that the instance lives. */
  readonly beats: readonly boolean[]
  readonly slotSeconds: number
}

/**
 * Nobody waits until the disk has the lock of a tenant, which is all that these statements write into the log of the database:
 * ten times a second that would cost more than everything else.
 */
const TOLD = `told as (
     select r.tenant_id, r.request_id, r.n, r.data, r.over, r.beat
       from unnest($tenantIds::int[], $requestIds::text[], $ns::int[], $data::text[], $over::boolean[], $beats::boolean[])
              as r (tenant_id, request_id, n, data, over, beat),
            set_config('synchronous_commit', 'off', true)
   )`
const KEPT = `living as (
     select t.tenant_id from tenants t
      where t.tenant_id = any ($saying::int[]) and t.deleted_at is null
        for key share skip locked
   ), kept as (
     insert into turn_frames (tenant_id, request_id, n, data, over, slot)
     select o.tenant_id, o.request_id, o.n, o.data, o.over,
            floor(extract(epoch from now())::float8 / $slotSeconds::float8)::bigint % 3
       from told o join living l on l.tenant_id = o.tenant_id
      where o.n is not null
     returning request_id, n
   )`
const HEARD = `select 'kept' as what, request_id as "requestId", n from kept`

type Heard = { what: 'kept' | 'stop' | 'known'; requestId: string; n: number }

/**
 * What the turns of one instance have said since the last time, and which of these rows were kept. A workspace that is being deleted
 * gets no rows.
 */
export const tellFrames = statement<Heard, Told>(
  'streams.tell_frames',
  `with ${TOLD}, ${KEPT}
   ${HEARD}`,
)

/**
 * The same, and the answer to two questions: which turns somebody asks to stop, and which of those that say that they live are still
 * known. What it takes to begin an update of every part costs as much as the rest, so this is not asked every time.
 */
export const tellAndAsk = statement<Heard, Told & { readonly tenants: readonly number[] }>(
  'streams.tell_and_ask',
  `with ${TOLD}, ${KEPT}, beaten as (
     -- Nobody else holds the rows of a workspace that is not being deleted.
     update turn_frames f set at = now()
       from told o join living l on l.tenant_id = o.tenant_id
      where f.tenant_id = any ($tenants::int[]) and f.tenant_id = o.tenant_id and f.request_id = o.request_id
        and o.beat and f.n = 0
     returning f.request_id, f.n
   )
   ${HEARD}
   union all
   select 'known', request_id, n from beaten
   union all
   select 'stop', f.request_id, f.n
     from turn_frames f join told o on o.tenant_id = f.tenant_id and o.request_id = f.request_id
    where f.tenant_id = any ($tenants::int[]) and f.n = -1`,
)

export type FrameRow = {
  requestId: string
  n: number
  data: string | null
  over: boolean
  /** Of the row that says whose turn it is: for how long its instance has not been heard of. */
  silentSeconds: number | null
}

/** What the turns that are read on one instance have said after the frames that it has. */
export const readFrames = statement<FrameRow, { read: string }>(
  'streams.read_frames',
  `with turns as (
     select r."tenantId" as tenant_id, r."requestId" as request_id, r.after
       from json_to_recordset($read::json) as r ("tenantId" int, "requestId" text, after int)
   )
   select f.request_id as "requestId", f.n, f.data, f.over, null::float8 as "silentSeconds"
     from turns t join turn_frames f on f.tenant_id = t.tenant_id and f.request_id = t.request_id
    where f.n > t.after and f.n > 0
   union all
   select f.request_id, f.n, null, false, extract(epoch from now() - f.at)::float8
     from turns t join turn_frames f on f.tenant_id = t.tenant_id and f.request_id = t.request_id
    where f.n = 0
   order by 2`,
)

export type HeadRow = {
  data: string
  silentSeconds: number
  /** Null while it runs. */
  overSeconds: number | null
}

export const findHead = statement<HeadRow, { tenantId: number; requestId: string }>(
  'streams.find_head',
  `select h.data, extract(epoch from now() - h.at)::float8 as "silentSeconds",
          (select extract(epoch from now() - min(f.at))::float8 from turn_frames f
            where f.tenant_id = $tenantId::int and f.request_id = $requestId::text and f.n > 0 and f.over) as "overSeconds"
     from turn_frames h
    where h.tenant_id = $tenantId::int and h.request_id = $requestId::text and h.n = 0
    order by h.at desc limit 1`,
)

/** The instance that runs the turn reads it with its next rows. */
export const askToStop = statement<unknown, { tenantId: number; requestId: string; slotSeconds: number }>(
  'streams.ask_to_stop',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into turn_frames (tenant_id, request_id, n, slot)
   select tenant_id, $requestId::text, -1, floor(extract(epoch from now())::float8 / $slotSeconds::float8)::bigint % 3
     from living`,
)

export const forgetFrames = statement<{ forgotten: number }, { seconds: number }>(
  'streams.forget_frames',
  'select forget_turn_frames($seconds::float8) as forgotten',
)
