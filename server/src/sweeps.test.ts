// Every sweep of the house over all tenants, through its duty: one tenant that cannot be swept stops nobody, and each row is
// taken once however many processes sweep.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import { until } from '../testkit/until.ts'
import { openDatabase, unlisted } from './kernel/db/index.ts'
import { MODULES } from './modules.ts'

type Case = {
  readonly sweep: string
  readonly duty: string
  readonly table: string
  /** Rows of the tenant that are due, numbered from `$first` on; the higher the number, the later they were due. */
  readonly place: string
  /** What of a row is due, and no longer so when it was taken. */
  readonly due: string
  /** What the tenant needs besides. */
  readonly given?: string
}

const ago = (what: string) => `now() - interval '${what}' + make_interval(secs => n / 1000.0)`
const action = (columns: string, values: string) =>
  `insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, idempotency_key, ${columns})
   select $tenantId::int, gen_random_uuid(), 'refund', 'shop', 'Refund', 'Refund', '{}', 'h', 'low', 'key', ${values}`
const FROM = 'from generate_series($first::int, $first::int + $rows::int - 1) as n'

const CASES: readonly Case[] = [
  {
    sweep: 'actions.expire',
    duty: 'actions.expire',
    table: 'actions',
    place: `${action('state, expires_at', `'pending', ${ago('1 hour')}`)} ${FROM}`,
    due: `state = 'pending'`,
  },
  {
    sweep: 'actions.recover',
    duty: 'actions.recover',
    table: 'actions',
    place: `${action('state, expires_at, lease_until', `'executing', now() + interval '1 day', ${ago('1 hour')}`)} ${FROM}`,
    due: `state = 'executing'`,
  },
  {
    sweep: 'actions.give_up_verifying',
    duty: 'actions.recover',
    table: 'actions',
    place: `${action('state, expires_at, verify_until', `'executed', now() + interval '1 day', ${ago('1 hour')}`)} ${FROM}`,
    due: `state = 'executed' and verification_status is null`,
  },
  {
    sweep: 'actions.remind',
    duty: 'actions.remind',
    table: 'actions',
    given: `insert into policies (tenant_id, version, rules) values ($tenantId::int, 1, '{"rules": [], "remindAtHalf": true}')`,
    place: `${action('state, created_at, expires_at', `'pending', ${ago('13 hours')}, now() + interval '11 hours'`)} ${FROM}`,
    due: `state = 'pending' and reminded_at is null`,
  },
  {
    sweep: 'actions.forget_tokens',
    duty: 'actions.forget',
    table: 'keys',
    place: `insert into keys (tenant_id, hash, prefix, kind, expires_at)
            select $tenantId::int, sha256(($tenantId::int || ' ' || n)::bytea), 'at_' || n, 'action', ${ago('1 hour')} ${FROM}`,
    due: `kind = 'action'`,
  },
  {
    sweep: 'events.forget_deliveries',
    duty: 'events.forget',
    table: 'deliveries',
    place: `insert into deliveries (tenant_id, event_id, event, delivered, duration_ms, attempted_at, attempt)
            select $tenantId::int, 'evt_' || n, 'test', true, 1, ${ago('400 days')}, 1 ${FROM}`,
    due: 'true',
  },
  {
    sweep: 'events.forget_undelivered',
    duty: 'events.forget',
    table: 'undelivered_events',
    place: `insert into undelivered_events (tenant_id, event_id, event, occurred_at, attempts, sealed_body, failed_at)
            select $tenantId::int, 'evt_' || n, 'test', now(), 6, 'x', ${ago('400 days')} ${FROM}`,
    due: 'true',
  },
  {
    sweep: 'mail.forget',
    duty: 'mail.forget',
    table: 'mails',
    place: `insert into mails (tenant_id, mail_id, kind, language, recipient_hash, state, created_at)
            select $tenantId::int, 'evt_' || n, 'test', 'en', 'h', 'sent', ${ago('31 days')} ${FROM}`,
    due: 'true',
  },
  {
    sweep: 'signup.forget_links',
    duty: 'signup.forget',
    table: 'account_links',
    place: `insert into account_links (tenant_id, link_id, purpose, created_at, expires_at)
            select $tenantId::int, 'lnk_' || n, 'confirm', ${ago('9 days')}, ${ago('8 days')} ${FROM}`,
    due: 'true',
  },
  {
    sweep: 'notices.forget',
    duty: 'notices.forget',
    table: 'notices',
    place: `insert into notices (tenant_id, person_id, action_id, created_at)
            select $tenantId::int, n, gen_random_uuid(), ${ago('31 days')} ${FROM}`,
    due: 'true',
  },
  {
    sweep: 'chat.forget',
    duty: 'chat.forget',
    table: 'sessions',
    place: `insert into sessions (tenant_id, session_id, owner_kind, owner, last_at)
            select $tenantId::int, 'ses_' || n, 'guest', 'g', ${ago('4000 days')} ${FROM}`,
    due: 'true',
  },
  {
    sweep: 'usage.lapse',
    duty: 'usage.lapse',
    table: 'spend_holds',
    place: `insert into spend_holds (tenant_id, hold_id, amount_usd, periods, deployment_periods, expires_at)
            select $tenantId::int, gen_random_uuid(), 0.01, '{2026-11-21}', '{2026-11-21}', ${ago('1 hour')} ${FROM}`,
    due: 'not lapsed',
  },
  {
    sweep: 'usage.forget_holds',
    duty: 'usage.lapse',
    table: 'spend_holds',
    place: `insert into spend_holds (tenant_id, hold_id, amount_usd, periods, deployment_periods, expires_at, lapsed)
            select $tenantId::int, gen_random_uuid(), 0.01, '{}', '{}', ${ago('8 days')}, true ${FROM}`,
    due: 'lapsed',
  },
  {
    sweep: 'usage.forget_turns',
    duty: 'usage.forget',
    table: 'turn_records',
    place: `insert into turn_records (tenant_id, record_id, at, request_id, surface, source, client, plan, kind, result_path, rounds,
                                      tool_calls, proposals, handed_off, answered, preview, input_tokens, output_tokens, model, duration_ms)
            select $tenantId::int, gen_random_uuid(), ${ago('401 days')}, 'r', 'chat', 's', 'c', 'free', 'chat', 'ok', 1,
                   0, 0, false, true, false, 1, 1, 'm', 1 ${FROM}`,
    due: 'true',
  },
  {
    sweep: 'usage.forget_rows',
    duty: 'usage.forget',
    table: 'usage_rows',
    place: `insert into usage_rows (tenant_id, usage_id, at, request_id, purpose, model, input_tokens, output_tokens, cost_usd)
            select $tenantId::int, gen_random_uuid(), ${ago('63 days')}, 'r', 'chat', 'm', 1, 1, 0.1 ${FROM}`,
    due: 'true',
  },
  {
    sweep: 'usage.forget_days',
    duty: 'usage.forget',
    table: 'conversation_days',
    place: `insert into conversation_days (tenant_id, day, session_id) select $tenantId::int, current_date - 46, 's ' || n ${FROM}`,
    due: 'true',
  },
]

let house: OpenHouse
let beside: OpenHouse
before(async () => {
  const settings = { 'Mail:Transport': 'console', 'Mail:From': 'Tether <no-reply@tether.example>' }
  house = await openHouse({
    modules: MODULES,
    settings: { ...settings, 'AI:Memory:RetentionDays': '30', 'AI:Usage:TurnDays': '400', 'AI:Usage:LedgerDays': '62' },
  })
  beside = await openHouse({ beside: house })
})
after(async () => {
  await beside.close()
  await house.close()
})

const work = (duty: string, at = house): Promise<number> => {
  const found = at.app.duties.find(({ name }) => name === duty) ?? assert.fail(`There is no duty ${duty}.`)
  return found.work(new AbortController().signal)
}

/** Four that sweep at once, each again and again until it finds nothing to take, as the loop of duties does. */
async function workByMany(duty: string): Promise<number> {
  const all = async (at: OpenHouse) => {
    let taken = 0
    for (let count = await work(duty, at); count > 0; count = await work(duty, at)) taken += count
    return taken
  }
  const counts = await Promise.all([house, beside, house, beside].map(all))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** A tenant with so many rows that are due. */
async function tenantWith({ sweep, place, given }: Case, rows: number, first = 0): Promise<number> {
  const { tenantId } = await house.tenant()
  const { database } = house.database
  if (given !== undefined)
    await database.run(unlisted<unknown, { tenantId: number }>(`given.${sweep}`, given), { tenantId })
  const placing = unlisted<unknown, { tenantId: number; first: number; rows: number }>(`place.${sweep}`, place)
  assert.equal(await database.run(placing, { tenantId, first, rows }), rows)
  return tenantId
}

async function dueOf({ sweep, table, due }: Case, tenantId: number): Promise<number> {
  const text = `select count(*)::int as due from ${table} where tenant_id = $tenantId::int and ${due}`
  const counting = unlisted<{ due: number }, { tenantId: number }>(`due.${sweep}`, text)
  return (await house.database.database.one(counting, { tenantId }))?.due ?? Number.NaN
}

/** Every change of a row of this tenant fails, as if it were one that no statement can take. */
const poison = (table: string, tenantId: number): Promise<void> =>
  house.database.database.script(`
    create or replace function stuck() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$;
    create trigger stuck before update or delete on ${table} for each row when (old.tenant_id = ${tenantId})
      execute function stuck()`)
const heal = (table: string): Promise<void> => house.database.database.script(`drop trigger stuck on ${table}`)

// More than any sweep takes at once, so that a look that stayed with them would see nothing else.
const CROWD = 1_100

for (const one of CASES) {
  const { sweep, duty, table } = one
  test(`${sweep}: a tenant that cannot be swept stops nobody, is named, and is swept when it can be`, async () => {
    const stuck = await tenantWith(one, CROWD)
    const healthy = [await tenantWith(one, 1, CROWD), await tenantWith(one, 3, CROWD)]
    await poison(table, stuck)
    house.logged.length = 0
    try {
      assert.equal(await work(duty), 4)
    } finally {
      await heal(table)
    }
    for (const tenantId of healthy) assert.equal(await dueOf(one, tenantId), 0)
    assert.equal(await dueOf(one, stuck), CROWD)
    const said = house.logged.map((line) => JSON.parse(line)).filter((line) => line.sweep === sweep)
    assert.equal(said.length, 1, 'one line for one sweep')
    assert.partialDeepStrictEqual(said[0], { tenants: [stuck], failed: 1 })
    assert.equal(await work(duty), CROWD)
    assert.equal(await dueOf(one, stuck), 0)
    assert.equal(await work(duty), 0)
  })

  test(`${sweep}: many processes take each row once`, async () => {
    const tenants = [await tenantWith(one, 40), await tenantWith(one, 1), await tenantWith(one, 300)]
    assert.equal(await workByMany(duty), 341)
    for (const tenantId of tenants) assert.equal(await dueOf(one, tenantId), 0)
  })

  test(`${sweep}: what somebody holds is left to them, and nobody waits for it`, async (t) => {
    const { url } = house.database
    if (url === undefined) return t.skip('the embedded database has one connection')
    const [held, free] = [await tenantWith(one, CROWD), await tenantWith(one, 2, CROWD)]
    house.logged.length = 0
    await whileHeld(url, `select 1 from ${table} where tenant_id = ${held} for update`, async () =>
      assert.equal(await work(duty), 2),
    )
    // A sweep that waits for them is cancelled in the end, and says so.
    assert.deepEqual(house.logged, [])
    assert.deepEqual([await dueOf(one, held), await dueOf(one, free)], [CROWD, 0])
    assert.equal(await work(duty), CROWD)
  })
}

/** Holds what the text locks, on a connection of its own. */
async function whileHeld(url: string, text: string, act: () => Promise<void>): Promise<void> {
  const holding = await openDatabase({
    at: { url, poolSize: 1, prepared: true },
    statementTimeoutMs: 0,
    warn: (message) => assert.fail(message),
  })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hasHeld } = Promise.withResolvers<void>()
  const holder = holding.transaction(async (tx) => {
    await tx.rows(unlisted<unknown>('sweeps_test.hold', text))
    hasHeld()
    await released
  })
  try {
    await Promise.race([held, holder])
    await act()
  } finally {
    release()
    await holder
    await holding.close()
  }
}

const told = unlisted<{ audited: number; announced: number }, { tenantId: number }>(
  'sweeps_test.told',
  `select (select count(*)::int from audit_events where tenant_id = $tenantId::int) as audited,
          (select count(distinct action_id)::int from outbox where tenant_id = $tenantId::int) as announced`,
)

test('a tenant whose trail is locked does not hold up the expiry of other tenants', async (t) => {
  const [expire] = CASES
  const { url } = house.database
  if (url === undefined || expire === undefined) return t.skip('the embedded database has one connection')
  const [locked, free] = [await tenantWith(expire, 1), await tenantWith(expire, 2)]
  let sweeping: Promise<number> | undefined
  const head = `select 1 from audit_heads where tenant_id = ${locked} for update`
  await house.database.database.script(
    `insert into audit_events (tenant_id, tool, event, source) values (${locked}, 'refund', 'proposed', 'test')`,
  )
  await whileHeld(url, head, async () => {
    sweeping = work('actions.expire')
    await until(async () => (await dueOf(expire, free)) === 0, 'the others are expired')
    assert.equal(await dueOf(expire, locked), 1)
  })
  assert.equal(await sweeping, 3)
  assert.equal(await dueOf(expire, locked), 0)
})

test('what many processes expire is in the trail once and announced once', async () => {
  const [expire] = CASES
  assert.ok(expire?.sweep === 'actions.expire')
  const tenantId = await tenantWith(expire, 450)
  assert.equal(await workByMany('actions.expire'), 450)
  assert.deepEqual(await house.database.database.one(told, { tenantId }), { audited: 450, announced: 450 })
})
