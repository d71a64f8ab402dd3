// What is counted as it happens is what somebody would count who looked at everything.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setBack } from '../../../testkit/set-back.ts'
import { type Queries, unlisted } from '../../kernel/db/index.ts'
import { ask, customer, newShop, openTalk, type Shop, talk } from '../chat/fixtures/talk.ts'

openTalk()

/** A row for each figure of each day. The first is what pages read, the second counts every row anew. */
const KEPT = unlisted<{ figures: unknown }, { tenantId: number }>(
  'test.kept_figures',
  `select json_agg(row_to_json(f) order by day, what) as figures from (
     select day::text, event as what, sum(count)::int as count
       from (select day, event, count from event_days where tenant_id = $tenantId::int
             union all
             select h.day, c.key, c.value::int from audit_heads h, jsonb_each_text(h.counts) c where h.tenant_id = $tenantId::int) e
      group by 1, 2
     union all
     select day::text, what, count from turn_days,
            lateral (values ('conversations', conversations), ('turns', turns), ('answered', answered), ('handed', handed_off)) as v (what, count)
      where tenant_id = $tenantId::int
     union all
     select day::text, what, count from rating_days, lateral (values ('up', up), ('down', down)) as v (what, count)
      where tenant_id = $tenantId::int
     union all
     select day::text, model || what, count::int from model_days,
            lateral (values (' rounds', rounds), (' in', input_tokens), (' out', output_tokens), (' usd', cost_usd * 1000)) as v (what, count)
      where tenant_id = $tenantId::int) f
    where count <> 0`,
)
const utcDay = (at: string) => `((${at} at time zone 'UTC')::date)::text as day`
const COUNTED = unlisted<{ figures: unknown }, { tenantId: number }>(
  'test.counted_figures',
  `select json_agg(row_to_json(f) order by day, what) as figures from (
     select ${utcDay('occurred_at')}, event as what, count(*)::int as count from audit_events where tenant_id = $tenantId::int group by 1, 2
     union all
     select day, what, count from (
       select ${utcDay('at')}, count(distinct session_id)::int as conversations, count(*)::int as turns,
              count(*) filter (where answered)::int as answered, count(*) filter (where handed_off)::int as handed
         from turn_records where tenant_id = $tenantId::int group by 1) t,
            lateral (values ('conversations', conversations), ('turns', turns), ('answered', answered), ('handed', handed)) as v (what, count)
     union all
     select ${utcDay('updated_at')}, rating, count(*)::int from feedback where tenant_id = $tenantId::int group by 1, 2
     union all
     select day, model || what, count from (
       select ${utcDay('at')}, model, count(*)::int as rounds, sum(input_tokens)::int as taken, sum(output_tokens)::int as given,
              (sum(cost_usd) * 1000)::int as cost
         from usage_rows where tenant_id = $tenantId::int group by 1, 2) u,
            lateral (values (' rounds', rounds), (' in', taken), (' out', given), (' usd', cost)) as v (what, count)) f
    where count <> 0`,
)

async function mustAgree(db: Queries, tenantId: number, when: string): Promise<readonly unknown[]> {
  const [kept, counted] = [await db.one(KEPT, { tenantId }), await db.one(COUNTED, { tenantId })]
  assert.deepEqual(kept?.figures, counted?.figures, when)
  return (kept?.figures ?? []) as readonly unknown[]
}

/** As if all of it had happened a day earlier, the head of the trail included. */
const aDayEarlier = (tenantId: number): string => `
  alter table audit_events disable trigger user;
  alter table audit_heads disable trigger user;
  update audit_events set ${setBack('occurred_at', '1 day')} where tenant_id = ${tenantId};
  update event_days set day = day - 1 where tenant_id = ${tenantId};
  update audit_heads set ${setBack('last_at', '1 day')}, day = day - 1 where tenant_id = ${tenantId};
  alter table audit_heads enable trigger user;
  alter table audit_events enable trigger user;`

const decide = (shop: Shop, verb: string, actionId: string, body: object = {}) =>
  talk.house.ask('POST', `/v1/actions/${actionId}/${verb}`, {
    key: shop.apiKey,
    headers: { 'x-service-user-id': '7' },
    body,
  })

async function propose(shop: Shop, number: string): Promise<string> {
  const body = { tool: 'cancel_order', arguments: { number } }
  const staged = await talk.house.ask<{ actionId: string }>('POST', '/v1/actions', { key: shop.apiKey, body })
  assert.equal(staged.status, 200, staged.text)
  return staged.body.actionId
}

/** One of each end: confirmed, rejected, amended, run out. */
async function busyDay(shop: Shop): Promise<void> {
  const { database } = talk.house.database
  for (const number of ['A-1', 'A-2']) {
    const { status, text } = await decide(shop, 'confirm', await propose(shop, number), { acknowledgeHighRisk: true })
    assert.equal(status, 200, text)
  }
  await decide(shop, 'reject', await propose(shop, 'A-3'))
  await decide(shop, 'amend', await propose(shop, 'A-4'), { arguments: { number: 'A-5' } })
  const late = await propose(shop, 'A-6')
  await database.script(`update actions set expires_at = now() - interval '1 second' where action_id = '${late}'`)
  await decide(shop, 'confirm', late)
}

const rate = (shop: Shop, sessionId: string, requestId: string, rating: 'up' | 'down', headers = {}) =>
  talk.house.ask('POST', '/v1/chat/feedback', { key: shop.apiKey, headers, body: { sessionId, requestId, rating } })

/** Two conversations, one of them a customer’s, each of two turns, and a rating that is changed later. */
async function talkAndRate(shop: Shop) {
  const key = shop.apiKey
  const headers = await customer('customer-7', shop)
  const first = (await ask({ prompt: 'Hi' }, { key })).body
  await ask({ prompt: 'And then?', sessionId: first.sessionId }, { key })
  const second = (await ask({ prompt: 'Hello' }, { key, headers })).body
  const [one, other] = [first.sessionId ?? '', second.sessionId ?? '']
  await rate(shop, one, first.requestId, 'up')
  await rate(shop, one, first.requestId, 'down')
  await rate(shop, other, second.requestId, 'up', headers)
  return { one, other }
}

/** Turns and rounds of any day: the ledger writes several processes’ at once, and late ones days later. */
const ledgerRows = (tenantId: number, session: string, back: number): string => `
  insert into turn_records (tenant_id, record_id, at, request_id, session_id, surface, source, client, plan, kind, result_path, rounds,
                            tool_calls, proposals, handed_off, answered, preview, input_tokens, output_tokens, model, duration_ms)
  select ${tenantId}, gen_random_uuid(), now() - interval '${back} days', 'req_' || n, '${session}', 'chat', 'test', 'web', 'free',
         'secret', 'ok', 1, 0, 0, n % 2 = 0, n % 3 = 0, false, 1, 1, 'm', 1 from generate_series(1, 4) n;
  insert into usage_rows (tenant_id, usage_id, at, request_id, purpose, model, input_tokens, output_tokens, cost_usd)
  select ${tenantId}, gen_random_uuid(), now() - interval '${back} days', 'req_' || n, 'turn', 'model-' || n % 2, 900, 30, 0.001
    from generate_series(1, 3) n;`

test('after confirms, rejects, amends, expiries, talks, ratings and erasures the counts are those of a recount', async () => {
  const shop = await newShop()
  const { tenantId, apiKey: key } = shop
  const { database } = talk.house.database
  await busyDay(shop)
  const { one } = await talkAndRate(shop)
  await talk.house.app.flush()
  const first = await mustAgree(database, tenantId, 'on the first day')
  assert.ok(first.length >= 8, JSON.stringify(first))
  await database.script(aDayEarlier(tenantId))
  await busyDay(shop)
  await mustAgree(database, tenantId, 'when the day turned')
  for (const back of [3, 1, 3, 0]) await database.script(ledgerRows(tenantId, 'ses_of_days', back))
  await database.script(ledgerRows(tenantId, one, 2))
  await mustAgree(database, tenantId, 'when rows of earlier days come late')
  await database.script(`update feedback set ${setBack('updated_at', '2 days')} where tenant_id = ${tenantId}`)
  await mustAgree(database, tenantId, 'when ratings move')
  assert.equal((await talk.house.ask('DELETE', `/v1/chat/sessions/${one}`, { key })).status, 200)
  const erased = await mustAgree(database, tenantId, 'when a conversation is erased')
  assert.equal(JSON.stringify(erased).match(/"down"/g)?.length, 1, 'that of the old conversation')
  assert.equal((await talk.house.ask('DELETE', '/v1/customers/customer-7', { key })).status, 200)
  await mustAgree(database, tenantId, 'when a customer is erased')
  // What was counted is what is told.
  type Day = { date: string; proposals: number; executed: number; rejected: number; expired: number; turns: number }
  const daily = await talk.house.ask<{ days: Day[] }>('GET', '/v1/outcomes/daily', { key })
  const { totals } = (await talk.house.ask<{ totals: Day }>('GET', '/v1/outcomes', { key })).body
  const { proposals, executed, rejected, expired } = totals
  assert.deepEqual({ proposals, executed, rejected, expired }, { proposals: 12, executed: 4, rejected: 4, expired: 2 })
  for (const figure of ['proposals', 'executed', 'rejected', 'expired', 'turns'] as const) {
    const sum = daily.body.days.reduce((all, day) => all + day[figure], 0)
    assert.equal(sum, totals[figure], figure)
  }
})

test('a period that begins or ends within a day counts that part of it, and no more', async () => {
  const shop = await newShop()
  const key = shop.apiKey
  await propose(shop, 'A-1')
  const between = new Date(Date.now() + 1).toISOString()
  await talk.house.database.database.script('select pg_sleep(0.01)')
  await decide(shop, 'reject', await propose(shop, 'A-2'))
  const count = async (query: string) =>
    (await talk.house.ask<{ totals: { proposals: number } }>('GET', `/v1/outcomes?${query}`, { key })).body.totals
      .proposals
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  const [day, before] = [dayOf(Date.now()), dayOf(Date.now() - 20 * 86_400_000)]
  assert.equal(await count(`from=${day}`), 2)
  assert.equal(await count(`from=${day}&to=${between}`), 1)
  assert.equal(await count(`from=${between}`), 1)
  assert.equal(await count(`from=${before}&to=${between}`), 1)
  assert.equal(await count(`from=${before}&to=${day}`), 0)
})

test('most of a day counts the same kinds of turns as the whole day', async () => {
  const { tenantId, apiKey: key } = await newShop()
  await talk.house.database.database.script(ledgerRows(tenantId, 'ses_of_a_day', 3))
  const [first, next] = [3, 2].map((back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10))
  const read = async (from: string) => {
    const { body } = await talk.house.ask<{ totals: Record<string, unknown> }>(
      'GET',
      `/v1/outcomes?from=${from}&to=${next}`,
      { key },
    )
    const { conversations, turns, answered, handedOff } = body.totals
    return { conversations, turns, answered, handedOff }
  }
  const whole = await read(`${first}`)
  assert.deepEqual(whole, { conversations: 1, turns: 4, answered: 1, handedOff: 2 })
  // A period that starts a millisecond after midnight is counted from the turns, not from the days.
  assert.deepEqual(await read(`${first}T00:00:00.001Z`), whole)
})

test('many processes that write the same conversation of the same day count it once', async () => {
  const shop = await newShop()
  const { database } = talk.house.database
  const batches = Array.from({ length: 12 }, (_, at) => ledgerRows(shop.tenantId, `ses_${at % 3}`, at % 2))
  await Promise.all(batches.map((batch) => database.script(batch)))
  await mustAgree(database, shop.tenantId, 'side by side')
})
