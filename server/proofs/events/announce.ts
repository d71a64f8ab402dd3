import type { Statement } from '../../src/foundation/db/index.ts'

/** So many events of each workspace, each in a line of its own. */
export const announceEach: Statement<unknown, [tenantIds: number[], each: number, name: string]> = {
  name: 'proof.announce_each',
  text: `insert into outbox (tenant_id, event_id, event, session_id, lane)
         select t, 'evt_' || $3::text || '_' || t || '_' || i, 'conversation.handoff', 'ses_' || t || '_' || i, 'ses_' || t || '_' || i
           from unnest($1::int[]) as t, generate_series(1, $2::int) as i`,
}
export const notify: Statement<unknown, []> = { name: 'proof.notify_events', text: `select pg_notify('events', '')` }
