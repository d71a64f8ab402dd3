import type { ChannelKind } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { sealedRows } from '../../tenancy/sealing/index.ts'

export type ChannelRow = {
  place: string
  teamId: string | null
  sealed: string
  setAt: Date
  fault: string | null
  faultAt: Date | null
}
const columns = `c.place, c.team_id as "teamId", c.sealed, c.set_at as "setAt", c.fault, c.fault_at as "faultAt"`

type Of = { tenantId: number; kind: ChannelKind }

export const findChannel = statement<ChannelRow, Of>(
  'channels.find',
  `select ${columns} from notice_channels c where c.tenant_id = $tenantId::int and c.kind = $kind::text`,
)

export const hasChannel = statement<{ hasAny: boolean }, { tenantId: number }>(
  'channels.has_any',
  `select exists (select 1 from notice_channels where tenant_id = $tenantId::int) as "hasAny"`,
)

/** What was set before gave its faults and its pause; the new one has none. */
export const placeChannel = statement<ChannelRow, Of & { place: string; teamId: string | null; sealed: string }>(
  'channels.place',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into notice_channels as c (tenant_id, kind, place, team_id, sealed, set_at)
   select tenant_id, $kind::text, $place::text, $teamId::text, $sealed::text, now() from living
   on conflict (tenant_id, kind) do update
      set place = excluded.place, team_id = excluded.team_id, sealed = excluded.sealed, set_at = excluded.set_at, fault = null,
          fault_at = null, rests_until = null
   returning ${columns}`,
)

/** Its messages go with it: they are no longer ours to write. */
export const deleteChannel = statement<{ kind: ChannelKind }, Of>(
  'channels.delete',
  `with posts as (
     delete from notice_posts where tenant_id = $tenantId::int and kind = $kind::text
   )
   delete from notice_channels where tenant_id = $tenantId::int and kind = $kind::text returning kind`,
)

/** Why nothing gets through, and for how long nothing is tried. */
export const restChannel = statement<unknown, Of & { fault: string; seconds: number }>(
  'channels.rest',
  `update notice_channels
      set fault = $fault::text, fault_at = now(), rests_until = now() + make_interval(secs => $seconds::float8)
    where tenant_id = $tenantId::int and kind = $kind::text`,
)

export const clearFault = statement<unknown, Of>(
  'channels.clear_fault',
  `update notice_channels set fault = null, fault_at = null, rests_until = null
    where tenant_id = $tenantId::int and kind = $kind::text and fault is not null`,
)

export const sealedChannels = sealedRows('channels.reseal', {
  what: 'the credentials of a channel',
  table: 'notice_channels',
  id: 'kind',
  column: 'sealed',
})
