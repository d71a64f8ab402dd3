import assert from 'node:assert/strict'
import test from 'node:test'
import { compileSql } from '../server/src/kernel/db/named-values.ts'
import { dividedFaults } from './divided-wall.ts'

const faultsOf = (text: string, name = 'shops.write') => dividedFaults({ name, ...compileSql(text) })
const OF = 'tenant_id = $tenantId::int'

const refused: Readonly<Record<string, string>> = {
  'a moment where a row is there already': `insert into shops (tenant_id, at) values ($tenantId::int, now())
      on conflict (tenant_id) do update set at = now()`,
  'a moment in the condition of that': `insert into shops as s (tenant_id, at) values ($tenantId::int, now())
      on conflict (tenant_id) do update set at = excluded.at where s.at < current_timestamp`,
  'a moment in a case': `update shops set at = case when $open::boolean then now() end where ${OF}`,
  'a moment in a coalesce': `update shops set at = coalesce(at, now()) where ${OF}`,
  'a moment in a case of the condition': `update shops set at = null where ${OF} and case when open then at < now() end`,
  'an id of its own for each row': `update shops set lease = gen_random_uuid() where ${OF}`,
  'what depends on a setting, of a column': `update shops set hash = sha256(convert_to(name, 'UTF8')) where ${OF}`,
  'a time cut off, of a column': `update shops set open = true where ${OF} and date_trunc('day', at) = $day::timestamptz`,
  'a time of the row, moved': `update shops set open = true where ${OF} and at + interval '1 day' < now()`,
  'a time of the row, moved by seconds': `update shops set at = at - make_interval(secs => $seconds::int) where ${OF}`,
  'a time moved where a row is there already': `insert into shops as s (tenant_id, at) values ($tenantId::int, now())
      on conflict (tenant_id) do update set at = excluded.at where s.at < excluded.at - interval '1 day'`,
  'a lock in what is inserted': `insert into doors (tenant_id) select tenant_id from shops where ${OF} for key share`,
  'the same further in': `with made as (
      update shops set at = coalesce(at, now()) where ${OF} returning tenant_id) select count(*) from made`,
  'the same for many': 'insert into doors (tenant_id) select s.tenant_id from shops s where s.open for key share of s',
  'a value beside an inserted query': `insert into shops as s (tenant_id, n) select tenant_id, 1 from doors where ${OF}
      on conflict (tenant_id) do update set n = s.n + 1 where s.n < $most::int`,
  'a query in what an inserted query returns': `with former as (select n from shops where ${OF})
      insert into doors (tenant_id) select tenant_id from shops where ${OF} returning (select n from former)`,
  'a lock beside what another part of the statement found': `with living as (select tenant_id from shops where ${OF})
      select d.tenant_id from doors d join living l on l.tenant_id = d.tenant_id where d.${OF} for update of d`,
  'a lock beside rows that are handed in': `select d.tenant_id from doors d join unnest($ids::int[]) as i (id) on i.id = d.n
      where d.${OF} for update of d`,
  'a lock beside a query that becomes a join': `select tenant_id from doors
      where ${OF} and n in (select n from shops where ${OF}) for update`,
  recursion: `with recursive walk as (
      select tenant_id, 1 as n from shops where ${OF} union all select tenant_id, n + 1 from walk) select * from walk`,
}

for (const [what, text] of Object.entries(refused)) {
  test(`${what} is refused, with what to do instead`, () => {
    const [fault, ...others] = faultsOf(text)
    assert.deepEqual(others, [])
    assert.match(fault ?? '', /^SQL "shops\.write": .*: (put|take|work|lock|look) /)
  })
}

const runs: Readonly<Record<string, string>> = {
  'a moment that is inserted': `insert into shops (tenant_id, at) values ($tenantId::int, now())
      on conflict (tenant_id) do update set at = excluded.at`,
  'a moment as it is': `update shops set at = now(), until = least(until, now()) where ${OF} and at < now()`,
  'a moment that is moved': `update shops set at = null where ${OF} and at < now() - make_interval(secs => $seconds::int)`,
  'the time between two moments': `insert into shops as s (tenant_id, at) values ($tenantId::int, now())
      on conflict (tenant_id) do update set at = excluded.at where excluded.at - s.at > interval '1 day'`,
  'a moment out of a query beside it': `update shops s set at = case when $open::boolean then moment.at end, lease = moment.id
      from (select now() as at, gen_random_uuid() as id) as moment where s.${OF}`,
  'a moment in a choice that only looks': `select coalesce(at, now()) as at from shops where ${OF}`,
  'a lock apart from what is inserted': `with living as (select tenant_id from shops where ${OF} for key share)
      insert into doors (tenant_id) select tenant_id from living`,
  'a lock that asks whether something was found': `with living as (select tenant_id from shops where ${OF} for key share)
      select n from doors where ${OF} and (select count(*) from living) > 0 for update`,
  'a lock in one place beside another': `select d.n from doors d join shops s on s.tenant_id = d.tenant_id
      where d.${OF} and s.${OF} for update of d`,
  'a value beside values': `insert into shops as s (tenant_id, n) values ($tenantId::int, 1)
      on conflict (tenant_id) do update set n = s.n + 1 where s.n < $most::int`,
  'what no setting changes': `update shops set hash = encode(bytes, 'hex'), name = left(name, 3) where ${OF}`,
}

for (const [what, text] of Object.entries(runs)) test(`${what} runs`, () => assert.deepEqual(faultsOf(text), []))

test('an exception that is not needed is told', () => {
  assert.deepEqual(faultsOf(`select name from shops where ${OF}`, 'events.walk_tenants'), [
    'SQL "events.walk_tenants": it recurs no longer: take it out of scripts/divided-wall.ts.',
  ])
})
