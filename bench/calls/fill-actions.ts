// Actions that were staged before: spread over the shops, a second apart, most of them executed. Those of the last day have
// the token that confirms them; older ones are forgotten by the service itself.
import { openDatabase } from '../../server/src/kernel/db/index.ts'
import { shopCount } from './shops.ts'

const fill = (count: number): string => `
  create temporary table made on commit drop as
    select i, 1 + i % ${shopCount} as tenant_id, at,
           -- Version 7, as staging makes them: the id begins with the time.
           (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0')
             || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(i::text), 4, 15))::uuid as action_id
      from (select i, now() - (${count} - i) * interval '1 second' as at from generate_series(1, ${count}) as i) as times;
  insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state,
                       idempotency_key, attempts, confirmed_by_user_id, result, reminded_at, created_at, expires_at, settled_at)
    select tenant_id, action_id, 'refund_order', 'orders', 'Refund order', 'Refund order (number: A-' || i || ')',
           '{"number":"A-' || i || '","reason":"It came broken"}', encode(sha256(convert_to(i::text, 'UTF8')), 'hex'), 'low',
           case when i % 100 = 0 then 'pending' when i % 100 < 6 then 'rejected' when i % 100 < 10 then 'expired'
                else 'executed' end,
           'act_' || action_id, 1, 0,
           convert_to('{"number":"A-' || i || '","state":"paid","total":262.5}', 'UTF8'),
           at, at, now() + interval '1 day', at + interval '1 minute'
      from made;
  insert into keys (tenant_id, hash, prefix, kind, action_id, created_at, expires_at)
    select tenant_id, sha256(convert_to('token ' || i, 'UTF8')), 'tac_' || lpad(to_hex(i), 8, '0'), 'action', action_id, at,
           at + interval '1 day'
      from made where at > now() - interval '23 hours'`

/** Seconds that it took. */
export async function fillActions(url: string, count: number): Promise<number> {
  const started = performance.now()
  const database = await openDatabase({
    at: { url, poolSize: 1, prepared: true },
    statementTimeoutMs: 0,
    warn: console.error,
  })
  try {
    await database.transaction((tx) => tx.script(fill(count)), { unlimited: true })
    for (const table of ['actions', 'keys']) await database.script(`vacuum (analyze) ${table}`)
    // What is still to be written would be written while we measure. Not everybody may ask for it.
    await database.script('checkpoint').catch(() => undefined)
  } finally {
    await database.close()
  }
  return Math.round((performance.now() - started) / 1000)
}
