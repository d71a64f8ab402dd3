// Events that were settled before: attempts in the list, and some that were given up.
import { openDatabase } from '../../server/src/kernel/db/index.ts'

const fill = (count: number, tenants: number): string => `
  insert into deliveries (tenant_id, outbox_id, event_id, event, action_id, url, destination, delivered, status_code, error,
                          duration_ms, attempted_at, attempt)
    select 1 + i % ${tenants}, i, 'evt_' || md5(i::text), 'action.executed', gen_random_uuid(), 'https://shop.example.com/events',
           'events_webhook', i % 50 <> 0, case when i % 50 = 0 then 500 else 204 end,
           case when i % 50 = 0 then 'the receiver answered 500' end, 12, now() - (${count} - i) * interval '1 second', 1
      from generate_series(1, ${count}) as i;
  insert into undelivered_events (tenant_id, event_id, event, occurred_at, attempts, sealed_body, failed_at)
    select 1 + i % ${tenants}, 'evt_' || md5(i::text), 'action.executed', now(), 6, 'enc:v1:' || repeat(md5(i::text), 12), now()
      from generate_series(1, ${count}, 50) as i`

export async function fillSettled(url: string, count: number, tenants: number): Promise<void> {
  const database = await openDatabase({
    at: { url, poolSize: 1, prepared: true },
    statementTimeoutMs: 0,
    warn: console.error,
  })
  try {
    await database.transaction((tx) => tx.script(fill(count, tenants)), { unlimited: true })
    for (const table of ['deliveries', 'undelivered_events', 'outbox'])
      await database.script(`vacuum (analyze) ${table}`)
    await database.script('checkpoint').catch(() => undefined)
  } finally {
    await database.close()
  }
}
