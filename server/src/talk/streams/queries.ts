import { statement } from '../../kernel/db/index.ts'
import { BATCH } from '../../tenancy/jobs/index.ts'

/** Rows, column by column. */
export type Told = {
  /** The tenants that they are of. */
  readonly tenants: readonly number[]
  readonly tenantIds: readonly number[]
  readonly requestIds: readonly string[]
  readonly ns: readonly number[]
  /** With commas between them; nothing where there is none. */
  readonly data: string
  readonly over: readonly boolean[]
  readonly slotSeconds: number
}

const LIVING = `living as (
     select t.tenant_id from tenants t
      where t.tenant_id = any ($tenants::int[]) and t.deleted_at is null
        for key share skip locked
   )`
/**
 * Nobody waits until the disk has the lock of a tenant, which is all that these statements write into the log of the database:
 * several times a second that would cost more than everything else.
 */
const UNHURRIED = `set_config('synchronous_commit', 'off', true)`

/**
 * What the turns of one instance have said since the last time, and of which tenants it was kept. A workspace that is being deleted
 * gets no rows. The texts come as one value: PostgreSQL reads an array of them letter by letter, which took a third of the statement.
 */
export const tellFrames = statement<{ tenantId: number }, Told>(
  'streams.tell_frames',
  `with ${LIVING}, kept as (
     insert into turn_frames (tenant_id, request_id, n, data, over, slot)
     select o.tenant_id, o.request_id, o.n, o.data, o.over,
            floor(extract(epoch from now())::float8 / $slotSeconds::float8)::bigint % 3
       from unnest($tenantIds::int[], $requestIds::text[], $ns::int[], string_to_array($data::text, ',', ''), $over::boolean[])
              as o (tenant_id, request_id, n, data, over)
       join living l on l.tenant_id = o.tenant_id
   )
   select l.tenant_id as "tenantId" from living l, ${UNHURRIED}`,
  { batches: BATCH },
)

type Turns = {
  readonly tenants: readonly number[]
  readonly tenantIds: readonly number[]
  readonly requestIds: readonly string[]
}

/** Says that the instance lives which runs these turns, and which of them are still known. */
export const beatTurns = statement<{ requestId: string }, Turns>(
  'streams.beat_turns',
  `with told as (
     select r.tenant_id, r.request_id
       from unnest($tenantIds::int[], $requestIds::text[]) as r (tenant_id, request_id), ${UNHURRIED}
   ), ${LIVING}
   -- Nobody else holds the rows of a workspace that is not being deleted.
   update turn_frames f set at = now()
     from told o join living l on l.tenant_id = o.tenant_id
    where f.tenant_id = any ($tenants::int[]) and f.tenant_id = o.tenant_id and f.request_id = o.request_id and f.n = 0
   returning f.request_id as "requestId"`,
  { batches: BATCH },
)

export const TO_STOP = -1
export const TO_TELL_AT_ONCE = -2

/**
 * What others ask of the turns of these tenants, wherever those run. It writes nothing, and is asked most often: all that is asked of a
 * tenant is found sooner than what is asked of each turn.
 */
export const hearAsked = statement<{ requestId: string; n: number }, { tenants: readonly number[]; seconds: number }>(
  'streams.hear_asked',
  `select f.request_id as "requestId", f.n
     from turn_frames f
    where f.tenant_id = any ($tenants::int[]) and f.n < 0 and f.at > now() - make_interval(secs => $seconds::float8)`,
  { looks: 'reads what other instances ask of the turns that this one runs' },
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
  { looks: 'reads the turns that are followed on this instance, each by tenant and id' },
)

type HeadRow = {
  data: string
  silentSeconds: number
  /** Null while it runs. */
  overSeconds: number | null
}

export const findHead = statement<HeadRow, { tenantId: number; requestId: string }>(
  'streams.find_head',
  `select h.data, extract(epoch from now() - h.at)::float8 as "silentSeconds",
          (select extract(epoch from now() - min(f.at))::float8 from turn_frames f
            where f.tenant_id = $tenantId::int and f.request_id = $requestId::text and f.over) as "overSeconds"
     from turn_frames h
    where h.tenant_id = $tenantId::int and h.request_id = $requestId::text and h.n = 0
    order by h.at desc limit 1`,
)

/** The instance that runs the turn hears it a moment later. */
export const askOfTurn = statement<unknown, { tenantId: number; requestId: string; n: number; slotSeconds: number }>(
  'streams.ask_of_turn',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into turn_frames (tenant_id, request_id, n, slot)
   select tenant_id, $requestId::text, $n::int, floor(extract(epoch from now())::float8 / $slotSeconds::float8)::bigint % 3
     from living`,
)

export const forgetFrames = statement<{ forgotten: number }, { seconds: number }>(
  'streams.forget_frames',
  'select forget_turn_frames($seconds::float8) as forgotten',
)
