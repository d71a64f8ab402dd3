// What a page of the console costs a workspace with a million actions beside one with a thousand. Everything grows with them: the
// trail, conversations, turns, ratings, attempts to deliver, tokens; what waits is the same. On one PostgreSQL server, one request at a
// time. The check of the chain and the file of the trail are not pages: they read all of it.
import path from 'node:path'
import { migrate, openDatabase, readMigrations } from '../server/src/kernel/db/index.ts'
import { startCallingService } from './calls/running-service.ts'
import { send } from './calls/shops.ts'
import { ROOT } from './parts/child.ts'
import { benchServer, NO_SERVER, withDatabases } from './parts/postgres.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, type Ratio, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import type { Server } from './parts/running-service.ts'
import { sized } from './parts/scale.ts'

const FEW = 1_000
const MANY = sized(1_000_000)
const WAITING = 200
const DAYS = 90
const KEY = `tth_${'0123456789abcdef'.repeat(3)}`
const ROUNDS = { rounds: 11, warmUpRounds: 4 }
const EACH = 2

const FILLED = [
  'actions',
  'audit_events',
  'sessions',
  'exchanges',
  'turn_records',
  'usage_rows',
  'feedback',
  'deliveries',
  'keys',
]

/** An index is built much faster over rows than row by row. */
const WITHOUT_INDEXES = `
  create temporary table index_of on commit drop as
    select indexname, indexdef from pg_indexes i where schemaname = 'public' and tablename = any ('{${FILLED.join(',')}}')
       and not exists (select 1 from pg_constraint c where c.conname = i.indexname);
  do $$ declare i record; begin for i in select * from index_of loop execute 'drop index ' || i.indexname; end loop; end $$;`
const WITH_INDEXES = `
  set local maintenance_work_mem = '256MB';
  do $$ declare i record; begin for i in select * from index_of loop execute i.indexdef; end loop; end $$;`

/** Of the last ninety days. Triggers would take minutes here. */
const fill = (actions: number): string => `
  set local session_replication_role = replica;
  insert into tenants (tenant_id, name, email_confirmed_at) values (1, 'Tea & Clay', now());
  select setval('tenant_ids', 1);
  insert into keys (tenant_id, hash, prefix, kind)
    values (1, sha256(convert_to('${KEY}', 'UTF8')), substr('${KEY}', 1, 12), 'secret');
  create temporary table day_of on commit drop as
    select n, now() - make_interval(secs => ${DAYS} * 86400 * (1 - n::float8 / ${actions})) - interval '10 minutes' as at
      from generate_series(1, ${actions}) as n;
  insert into keys (tenant_id, hash, prefix, kind, expires_at)
    select 1, sha256(convert_to('token ' || n, 'UTF8')), 'tac_' || n, 'action', now() + interval '1 day'
      from generate_series(1, ${actions / 20}) as n;
  insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state, session_id,
                       idempotency_key, verification_status, created_at, expires_at, settled_at)
    select 1, md5('action ' || n)::uuid, 'refund_order', 'shop', 'Refund order', 'Refund order A-' || n,
           '{"number":"A-' || n || '","reason":"It came broken"}', md5(n::text), 'high',
           case when n > ${actions - WAITING} then 'pending' when n % 10 = 0 then 'rejected' when n % 10 = 1 then 'expired'
                else 'executed' end,
           'ses_' || lpad((n / 4)::text, 26, '0'), 'key ' || n, case when n % 1000 = 2 then 'unverified' when n % 10 > 1 then 'verified' end,
           at, case when n > ${actions - WAITING} then now() + interval '1 day' else at + interval '1 hour' end, at
      from day_of;
  insert into audit_events (tenant_id, id, occurred_at, action_id, tool, event, source, payload_hash, hash)
    select 1, 2 * (n - 1) + e, at, md5('action ' || n)::uuid, 'refund_order',
           case when e = 1 then 'proposed' when n % 10 = 0 then 'rejected' when n % 10 = 1 then 'expired' else 'executed' end, 'POST /v1/actions', md5(n::text), md5('hash ' || n)
      from day_of cross join generate_series(1, 2) as e;
  insert into audit_heads (tenant_id, last_id, last_at, last_hash) select 1, 2 * ${actions}, now() - interval '5 minutes', 'h';
  create temporary table talks on commit drop as select n / 4 as n, at from day_of where n % 4 = 0;
  insert into sessions (tenant_id, session_id, owner_kind, owner, exchanges, handed_off_by, language, created_at, last_at)
    select 1, 'ses_' || lpad(n::text, 26, '0'), case when n % 3 = 0 then 'customer' else 'guest' end,
           case when n % 3 = 0 then 'customer-' || n % 100 else '' end, 1,
           case when n % 50 = 0 then 'req_' || n end, 'en', at, at
      from talks;
  insert into exchanges (tenant_id, session_id, number, request_id, prompt, reply, answered, at)
    select 1, 'ses_' || lpad(n::text, 26, '0'), 1, 'req_' || n, 'Where is my order number ' || n % 5000 || '?', 'It is on its way.',
           n % 20 <> 0, at
      from talks;
  insert into turn_records (tenant_id, record_id, at, request_id, session_id, surface, source, client, plan, kind, result_path, rounds,
                            tool_calls, proposals, handed_off, answered, preview, input_tokens, output_tokens, model, duration_ms)
    select 1, md5('record ' || n)::uuid, at, 'req_' || n, 'ses_' || lpad(n::text, 26, '0'), 'chat', 'POST /v1/chat', 'web', 'free',
           'publishable', 'ok', 1, 1, 1, n % 50 = 0, n % 20 <> 0, false, 900, 120, 'large-1', 800
      from talks;
  insert into usage_rows (tenant_id, usage_id, at, request_id, purpose, model, input_tokens, output_tokens, cost_usd)
    select 1, md5('usage ' || n)::uuid, at, 'req_' || n, 'turn', case when n % 5 = 0 then 'small-1' else 'large-1' end, 900, 120, 0.01
      from talks;
  insert into spend (tenant_id, period, spent_usd)
    select 1, to_char(at at time zone 'UTC', 'YYYY-MM-DD'), count(*) * 0.01 from talks group by 2;
  insert into feedback (tenant_id, request_id, session_id, rating, created_at, updated_at)
    select 1, 'req_' || n, 'ses_' || lpad(n::text, 26, '0'), case when n % 3 = 0 then 'down' else 'up' end, at, at
      from talks where n % 10 = 0;
  insert into deliveries (tenant_id, event_id, event, action_id, delivered, status_code, duration_ms, attempted_at, attempt)
    select 1, 'evt_' || n, 'action.pending', md5('action ' || n)::uuid, n % 100 <> 0, 200, 30, at, 1 from day_of where n % 4 = 0;`

const day = (column: string): string => `(${column} at time zone 'UTC')::date`

/** What the triggers would have written. */
const COUNTS = `
  update feedback f set began_at = s.created_at from sessions s where s.tenant_id = f.tenant_id and s.session_id = f.session_id;
  insert into rating_days (tenant_id, day, up, down)
    select tenant_id, ${day('updated_at')}, count(*) filter (where rating = 'up'), count(*) filter (where rating = 'down')
      from feedback group by 1, 2;
  insert into conversation_days (tenant_id, day, session_id) select distinct tenant_id, ${day('at')}, session_id from turn_records;
  insert into turn_days (tenant_id, day, conversations, turns, answered, handed_off)
    select tenant_id, ${day('at')}, count(distinct session_id), count(*), count(*) filter (where answered), count(*) filter (where handed_off)
      from turn_records group by 1, 2;
  insert into model_days (tenant_id, day, model, rounds, input_tokens, output_tokens, cost_usd)
    select tenant_id, ${day('at')}, model, count(*), sum(input_tokens), sum(output_tokens), sum(cost_usd) from usage_rows group by 1, 2, 3;
  insert into event_days (tenant_id, day, event, count)
    select tenant_id, ${day('occurred_at')}, event, count(*) from audit_events group by 1, 2, 3;`

/** Returns how many seconds it took. */
async function filled(url: string, actions: number): Promise<number> {
  const database = await openDatabase({
    at: { url, poolSize: 2, prepared: true },
    statementTimeoutMs: 0,
    warn: console.error,
  })
  try {
    await migrate(database, await readMigrations(path.join(ROOT, 'server/migrations')))
    const started = performance.now()
    await database.transaction((tx) => tx.script(`${WITHOUT_INDEXES}${fill(actions)}${COUNTS}${WITH_INDEXES}`), {
      unlimited: true,
    })
    for (const table of FILLED) await database.script(`vacuum (analyze) ${table}`)
    return Math.round((performance.now() - started) / 1000)
  } finally {
    await database.close()
  }
}

const TOOL = {
  name: 'refund_order',
  description: 'Pays an order back to the card that it was paid with.',
  is_write: true,
  risk: 'high',
  parameters: { type: 'object', properties: { number: { type: 'string' }, reason: { type: 'string' } } },
}

type Side = { readonly at: string; readonly cookie: string; readonly server: Server }

async function signedIn(url: string): Promise<Side> {
  const server = await startCallingService({ url })
  await send(server, 'PUT', '/v1/tools', KEY, [TOOL])
  const at = `http://127.0.0.1:${server.port}`
  const way = await (await fetch(`${at}/console`)).text()
  const token = /name="token" value="([\w-]+)"/.exec(way)?.[1] ?? ''
  const body = new URLSearchParams({ token, key: KEY })
  const entered = await fetch(`${at}/console/enter`, { method: 'POST', body, redirect: 'manual' })
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  if (entered.status !== 303) throw new Error(`The console let nobody in: ${entered.status} ${await entered.text()}`)
  return { at, cookie, server }
}

const period = (() => {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  return `from=${day(60)}&to=${day(30)}`
})()

/** Every page, and those with filters, of which some find little and some nothing. */
const PAGES = [
  '/console',
  '/console/waiting',
  '/console/waiting?status=indeterminate',
  '/console/conversations',
  '/console/conversations?handedOff=true',
  '/console/conversations?rating=down',
  '/console/conversations?customer=customer-3',
  `/console/conversations?${period}`,
  `/console/conversations/ses_${'1'.padStart(26, '0')}`,
  '/console/audit',
  '/console/audit?event=rejected',
  '/console/audit?event=provider_refused',
  '/console/audit?tool=nothing',
  '/console/audit?action=4a4a4a4a-4a4a-4a4a-8a4a-4a4a4a4a4a4a',
  `/console/audit?${period}`,
  '/console/outcomes?days=14',
  '/console/outcomes?days=90',
  '/console/usage',
  '/console/catalog',
  '/console/endpoint',
  '/console/events',
  '/console/events?failed=true',
  '/console/website',
  '/console/people',
  '/console/keys',
  '/console/danger',
]

/** Pages for each second. */
const timed = async ({ at, cookie }: Side, page: string): Promise<number> => {
  const started = performance.now()
  for (let n = 0; n < EACH; n++) {
    const answer = await fetch(at + page, { headers: { cookie } })
    const text = await answer.text()
    if (answer.status !== 200 || !text.includes('/console/sign-out'))
      throw new Error(`${page} answered ${answer.status}.`)
  }
  return (EACH * 1000) / (performance.now() - started)
}

type Paged = {
  readonly page: string
  readonly ratio: Ratio
  readonly figures: { readonly fewP50Ms: number; readonly manyP50Ms: number }
}

async function compare(page: string, few: Side, many: Side): Promise<Paged> {
  const took = await takeTurns({ few: () => timed(few, page), many: () => timed(many, page) }, ROUNDS)
  const [fewMs, manyMs] = [rounded(1000 / median(took.few)), rounded(1000 / median(took.many))]
  return { page, ratio: ratioOf(took.few, took.many), figures: { fewP50Ms: fewMs, manyP50Ms: manyMs } }
}

async function measure([fewUrl = '', manyUrl = '']: readonly string[]): Promise<readonly Result[]> {
  await filled(fewUrl, FEW)
  const fillSeconds = await filled(manyUrl, MANY)
  const [few, many] = [await signedIn(fewUrl), await signedIn(manyUrl)]
  try {
    const pages: Paged[] = []
    for (const page of PAGES) pages.push(await compare(page, few, many))
    const heaviest = pages.toSorted((one, other) => other.figures.manyP50Ms - one.figures.manyP50Ms)[0]
    if (heaviest === undefined) throw new Error('There is no page.')
    const what = `p50 of the heaviest page, ${heaviest.page}`
    const figures = { ...heaviest.figures, fillSeconds }
    // The others inform: a page that takes a millisecond or two says little of a machine with anything else to do.
    return [
      judged(what, heaviest.ratio, { atMost: 1.5 }, figures),
      ...pages.map(({ page, ratio, figures: own }) => ({ what: page, ...ratio, figures: own })),
    ]
  } finally {
    await Promise.all([few.server.child.stop(), many.server.child.stop()])
  }
}

const server = benchServer()
say({
  bench: 'console',
  promise: 'The heaviest page of the console takes at most 1.5 times as long with 1,000,000 actions as with 1,000',
  results: server === undefined ? [] : await withDatabases(server, 2, measure),
  ...(server === undefined ? { skipped: NO_SERVER } : {}),
})
