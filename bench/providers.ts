// What a provider's pages cost with a thousand businesses, and a million actions among them, beside ten businesses that are as busy
// each: a page of ten of its list, and of its usage with the totals of all. On one PostgreSQL server, one request at a time.
import { createHash } from 'node:crypto'
import path from 'node:path'
import { migrate, openDatabase, readMigrations } from '../server/src/kernel/db/index.ts'
import { getRequest } from './load.ts'
import { ROOT } from './parts/child.ts'
import { benchServer, NO_SERVER, withDatabases } from './parts/postgres.ts'
import { judged, type Result, say } from './parts/report.ts'
import { ratioOf, rounded } from './parts/rounds.ts'
import { type Server, startService } from './parts/running-service.ts'
import { sized } from './parts/scale.ts'
import { figuresOf, processorRatio, sideBySide } from './parts/side-by-side.ts'

const FEW = 10
const MANY = sized(1_000)
const ACTIONS_OF_EACH = sized(1_000)
const DAYS = 30
const PAGE = 10
const KEY = `tpv_${createHash('sha256').update('the provider of the bench').digest('hex').slice(0, 48)}`
const MEASURED = { rounds: 24, sliceMs: 200, connections: 1 }

/** The provider is tenant 1, and its businesses follow. The sums are those that the triggers make, which would take minutes here. */
const fill = (businesses: number): string => `
  set local session_replication_role = replica;
  insert into tenants (tenant_id, name, email_confirmed_at, provider) values (1, 'Software House', now(), true);
  insert into keys (tenant_id, hash, prefix, kind)
    values (1, sha256(convert_to('${KEY}', 'UTF8')), substr('${KEY}', 1, 12), 'provider');
  insert into tenants (tenant_id, name, email_confirmed_at, provider_tenant_id)
    select 1 + b, 'Business ' || b, now(), 1 from generate_series(1, ${businesses}) as b;
  select setval('tenant_ids', ${businesses + 1});
  insert into keys (tenant_id, hash, prefix, kind)
    select 1 + b, sha256(convert_to(b || ' ' || k, 'UTF8')), 'tth_' || lpad(k::text, 8, '0'), 'secret'
      from generate_series(1, ${businesses}) as b, generate_series(1, 3) as k;
  -- The tokens of what waits are keys, too, and there are many of them.
  insert into keys (tenant_id, hash, prefix, kind, expires_at)
    select 1 + b, sha256(convert_to(b || ' action ' || k, 'UTF8')), 'tac_' || lpad(k::text, 8, '0'), 'action', now() + interval '1 day'
      from generate_series(1, ${businesses}) as b, generate_series(1, 100) as k;
  insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state, idempotency_key,
                       created_at, expires_at, settled_at)
    select 1 + b, gen_random_uuid(), 'refund_order', 'shop', 'Refund', 'Refund', '{}', 'h', 'low', 'executed', 'k',
           now() - make_interval(days => a % ${DAYS}), now() + interval '1 day', now() - make_interval(days => a % ${DAYS})
      from generate_series(1, ${businesses}) as b, generate_series(1, ${ACTIONS_OF_EACH}) as a;
  insert into spend (tenant_id, period, spent_usd)
    select 1 + b, to_char(now() - make_interval(days => d), 'YYYY-MM-DD'), 1.5
      from generate_series(1, ${businesses}) as b, generate_series(0, ${DAYS - 1}) as d;
  insert into business_days (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
    select tenant_id, (settled_at at time zone 'UTC')::date, count(*) * 3, count(*) * 900, count(*) * 120, count(*) * 0.01, count(*)
      from actions group by 1, 2;
  insert into provider_days (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
    select 1, day, sum(turns), sum(input_tokens), sum(output_tokens), sum(cost_usd), sum(executed) from business_days group by day;
  -- What is not added up yet: two seconds in which each business executes one write in ten.
  insert into provider_day_changes (tenant_id, day, executed) select 1, now()::date, 1 from generate_series(1, ${businesses / 5})`

async function filled(url: string, businesses: number): Promise<number> {
  const started = performance.now()
  const at = { url, poolSize: 2, prepared: true }
  const database = await openDatabase({ at, statementTimeoutMs: 0, warn: console.error })
  try {
    await migrate(database, await readMigrations(path.join(ROOT, 'server/migrations')))
    await database.transaction((tx) => tx.script(fill(businesses)), { unlimited: true })
    for (const table of [
      'tenants',
      'keys',
      'actions',
      'spend',
      'business_days',
      'provider_days',
      'provider_day_changes',
    ])
      await database.script(`vacuum (analyze) ${table}`)
  } finally {
    await database.close()
  }
  return Math.round((performance.now() - started) / 1000)
}

/** Pages from all over the list: where only ten are, they are the one page. */
const pagesOf = (what: string, businesses: number): Buffer[] =>
  Array.from({ length: Math.floor(businesses / PAGE) }, (_, page) =>
    getRequest(`/v1/provider/${what}?limit=${PAGE}&after=${page * PAGE}`, { 'x-api-key': KEY }),
  )

async function mustAnswer({ port }: Server, businesses: number): Promise<void> {
  const read = async (what: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/provider/${what}`, { headers: { 'x-api-key': KEY } })
    if (answer.status !== 200) throw new Error(`${what} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { count: number; totals?: { executed: number } }
  }
  const [list, usage] = [await read(`tenants?limit=${PAGE}`), await read(`usage?limit=${PAGE}`)]
  const executed = businesses * (ACTIONS_OF_EACH + 0.2)
  // What settles while the bench is being filled may fall on either side of the first day.
  const isWhole = Math.abs((usage.totals?.executed ?? 0) - executed) <= executed / DAYS + businesses
  if (list.count !== PAGE || usage.count !== PAGE || !isWhole)
    throw new Error(`The pages are not what was filled in: ${JSON.stringify([list.count, usage.count, usage.totals])}`)
}

async function compare(what: string, few: Server, many: Server, figures: Record<string, number>): Promise<Result> {
  const took = await sideBySide(
    {
      few: { server: few, requests: pagesOf(what, FEW) },
      many: { server: many, requests: pagesOf(what, MANY) },
    },
    MEASURED,
  )
  // One request at a time: what a round does per second is the inverse of the time of one.
  const { quartiles } = ratioOf(took.few.perSecond, took.many.perSecond)
  const ratio = rounded(took.many.p50Ms / took.few.p50Ms)
  return judged(
    `p50 of a page of ${PAGE}: ${what}`,
    { ratio, quartiles },
    { atMost: 1.5 },
    {
      ...figuresOf('few', took.few),
      ...figuresOf('many', took.many),
      ...processorRatio(took.few, took.many),
      ...figures,
    },
  )
}

async function onServer([fewUrl = '', manyUrl = '']: string[]): Promise<Result[]> {
  await filled(fewUrl, FEW)
  const fillSeconds = await filled(manyUrl, MANY)
  const [few, many] = [await startService({ url: fewUrl }), await startService({ url: manyUrl })]
  try {
    await mustAnswer(few, FEW)
    await mustAnswer(many, MANY)
    return [
      await compare('tenants', few, many, { fillSeconds }),
      await compare('usage', few, many, { actions: MANY * ACTIONS_OF_EACH }),
    ]
  } finally {
    await Promise.all([few.child.stop(), many.child.stop()])
  }
}

const promise = 'A page of ten of the list and of usage: p50 with 1,000 businesses at most 1.5 times that with 10'
const server = benchServer()
if (server === undefined) say({ bench: 'providers', promise, results: [], skipped: NO_SERVER })
else say({ bench: 'providers', promise, results: await withDatabases(server, 2, onServer) })
