import { unlisted } from '../../src/kernel/db/index.ts'

/** So many events of each workspace, each in a line of its own. */
export const announceEach = unlisted<unknown, { tenantIds: number[]; each: number; name: string }>(
  'proof.announce_each',
  `insert into outbox (tenant_id, event_id, event, session_id, lane)
         select t, 'evt_' || $name::text || '_' || t || '_' || i, 'conversation.handoff',
                'ses_' || t || '_' || i, 'ses_' || t || '_' || i
           from unnest($tenantIds::int[]) as t, generate_series(1, $each::int) as i`,
)
export const notify = unlisted<unknown>('proof.notify_events', `select pg_notify('events', '')`)
