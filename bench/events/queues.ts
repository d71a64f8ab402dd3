// Puts work into either queue and waits until it is done: delivered, and settled.
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type Statement, unlisted } from '../../server/src/kernel/db/index.ts'

export type Queue = {
  readonly fill: Statement<unknown, { count: number; tenants: number[] }>
  readonly isEmpty: Statement<{ empty: boolean }>
}

export const ours: Queue = {
  fill: unlisted(
    'bench.fill_outbox',
    `with made as (
             insert into outbox (tenant_id, event_id, event)
             select ($tenants::int[])[1 + i % cardinality($tenants::int[])],
                    'evt_' || replace(gen_random_uuid()::text, '-', ''), 'bench.event'
               from generate_series(1, $count::int) as i returning 1
           ) select count(*), pg_notify('events', '') from made`,
  ),
  isEmpty: unlisted('bench.outbox_empty', 'select not exists (select 1 from outbox) as empty'),
}

export const graphiles: Queue = {
  fill: unlisted(
    'bench.fill_jobs',
    `select count(*) from graphile_worker.add_jobs(array(
             select ('deliver', json_build_object('tenantId', ($tenants::int[])[1 + i % cardinality($tenants::int[])],
                      'eventId', 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'occurredAt', clock_timestamp()),
                     null, null, null, null, null, null)::graphile_worker.job_spec
               from generate_series(1, $count::int) as i))`,
  ),
  isEmpty: unlisted('bench.jobs_empty', 'select not exists (select 1 from graphile_worker._private_jobs) as empty'),
}

const limitMs = 60_000

/** Events per second, from the commit of the last to the settling of the last. */
export async function drain(db: Database, queue: Queue, count: number, tenants: readonly number[]): Promise<number> {
  await db.rows(queue.fill, { count, tenants: [...tenants] })
  const started = performance.now()
  while ((await db.one(queue.isEmpty))?.empty !== true) {
    if (performance.now() - started > limitMs)
      throw new Error(`${queue.fill.name}: not done within ${limitMs / 1000} s`)
    await pause(5)
  }
  return (count / (performance.now() - started)) * 1000
}
