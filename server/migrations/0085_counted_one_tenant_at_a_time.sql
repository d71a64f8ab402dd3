-- What a statement changed is known to its own triggers alone. Where the tables are divided over nodes, they may write beside each
-- changed row, and for one tenant at a time (docs/scale.md). So each trigger adds up what changed, and then writes sum after sum, in
-- the order of their keys, so that no two statements wait for each other.

create or replace function count_usage() returns trigger language plpgsql as $$
declare
  whose integer[];
  businesses integer[];
  providers integer[];
  one record;
begin
  select array_agg(distinct tenant_id) into whose from changed;
  select array_agg(t.tenant_id), array_agg(t.provider_tenant_id) into businesses, providers
    from tenants t where t.tenant_id = any (whose) and t.provider_tenant_id is not null;
  for one in
    select tenant_id, providers[array_position(businesses, tenant_id)] as of_provider, (at at time zone 'UTC')::date as day,
           sum(input_tokens) as input, sum(output_tokens) as output, sum(cost_usd) as cost
      from changed where tenant_id = any (businesses) group by 1, 3 order by 1, 3
  loop
    perform count_business_day(one.tenant_id, one.of_provider, one.day, 0, one.input, one.output, one.cost, 0);
  end loop;
  return null;
end $$;

create or replace function count_turns() returns trigger language plpgsql as $$
declare
  whose integer[];
  businesses integer[];
  providers integer[];
  one record;
begin
  select array_agg(distinct tenant_id) into whose from changed;
  select array_agg(t.tenant_id), array_agg(t.provider_tenant_id) into businesses, providers
    from tenants t where t.tenant_id = any (whose) and t.provider_tenant_id is not null;
  for one in
    select tenant_id, providers[array_position(businesses, tenant_id)] as of_provider, (at at time zone 'UTC')::date as day,
           count(*) as turns
      from changed where tenant_id = any (businesses) group by 1, 3 order by 1, 3
  loop
    perform count_business_day(one.tenant_id, one.of_provider, one.day, one.turns, 0, 0, 0, 0);
  end loop;
  return null;
end $$;

create or replace function count_ratings() returns trigger language plpgsql as $$
declare
  one record;
begin
  if tg_op <> 'INSERT' then
    for one in
      select tenant_id, (updated_at at time zone 'UTC')::date as day, -count(*) filter (where rating = 'up') as up,
             -count(*) filter (where rating = 'down') as down
        from gone group by 1, 2 order by 1, 2
    loop
      insert into rating_days as d (tenant_id, day, up, down) values (one.tenant_id, one.day, one.up, one.down)
      on conflict (tenant_id, day) do update set up = d.up + excluded.up, down = d.down + excluded.down;
    end loop;
  end if;
  if tg_op <> 'DELETE' then
    for one in
      select tenant_id, (updated_at at time zone 'UTC')::date as day, count(*) filter (where rating = 'up') as up,
             count(*) filter (where rating = 'down') as down
        from came group by 1, 2 order by 1, 2
    loop
      insert into rating_days as d (tenant_id, day, up, down) values (one.tenant_id, one.day, one.up, one.down)
      on conflict (tenant_id, day) do update set up = d.up + excluded.up, down = d.down + excluded.down;
    end loop;
  end if;
  return null;
end $$;

create or replace function count_turn_days() returns trigger language plpgsql as $$
declare
  one record;
  session text;
  began integer;
begin
  for one in
    select tenant_id, (at at time zone 'UTC')::date as day, count(*) as turns, count(*) filter (where answered) as answered,
           count(*) filter (where handed_off) as handed_off,
           coalesce(array_agg(distinct session_id) filter (where session_id is not null), '{}') as sessions
      from changed group by 1, 2 order by 1, 2
  loop
    began := 0;
    foreach session in array one.sessions loop
      insert into conversation_days (tenant_id, day, session_id) values (one.tenant_id, one.day, session)
      on conflict (tenant_id, day, session_id) do nothing;
      began := began + found::integer;
    end loop;
    insert into turn_days as d (tenant_id, day, conversations, turns, answered, handed_off)
    values (one.tenant_id, one.day, began, one.turns, one.answered, one.handed_off)
    on conflict (tenant_id, day) do update
       set conversations = d.conversations + excluded.conversations, turns = d.turns + excluded.turns,
           answered = d.answered + excluded.answered, handed_off = d.handed_off + excluded.handed_off;
  end loop;
  return null;
end $$;

create or replace function count_model_days() returns trigger language plpgsql as $$
declare
  one record;
begin
  for one in
    select tenant_id, (at at time zone 'UTC')::date as day, model, count(*) as rounds, sum(input_tokens) as input,
           sum(output_tokens) as output, sum(cost_usd) as cost
      from changed group by 1, 2, 3 order by 1, 2, 3
  loop
    insert into model_days as d (tenant_id, day, model, rounds, input_tokens, output_tokens, cost_usd)
    values (one.tenant_id, one.day, one.model, one.rounds, one.input, one.output, one.cost)
    on conflict (tenant_id, day, model) do update
       set rounds = d.rounds + excluded.rounds, input_tokens = d.input_tokens + excluded.input_tokens,
           output_tokens = d.output_tokens + excluded.output_tokens, cost_usd = d.cost_usd + excluded.cost_usd;
  end loop;
  return null;
end $$;

-- The allowance that the count was last held against: what is there is judged by the row that would be inserted.
alter table turn_quotas add column most integer;
