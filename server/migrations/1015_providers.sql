-- What the businesses of providers use, and the configuration that providers push to them.

-- Usage of a business per UTC day. A tenant without a provider has no rows.
create table business_days (
  tenant_id integer not null,
  day date not null,
  turns bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_usd numeric(24, 12) not null default 0,
  executed bigint not null default 0,
  primary key (tenant_id, day)
);
-- The sum over all businesses of a provider, whose id is `tenant_id`. Recent usage is in `provider_day_changes`, one row per change, so
-- that businesses do not wait for each other. A job adds them up.
create table provider_days (like business_days including all);
create table provider_day_changes (
  tenant_id integer not null,
  change_id bigint generated always as identity,
  day date not null,
  turns bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_usd numeric(24, 12) not null default 0,
  executed bigint not null default 0,
  primary key (tenant_id, change_id)
);

-- Counted by triggers in the manner of 1002_usage.sql. A provider that is being deleted is skipped, so that its businesses do not wait
-- for the deletion.
create function count_business_day(
  business integer, of_provider integer, on_day date, more_turns bigint, more_input bigint, more_output bigint,
  more_cost numeric, more_executed bigint
) returns void language plpgsql as $$
begin
  insert into business_days as d (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
  values (business, on_day, more_turns, more_input, more_output, more_cost, more_executed)
  on conflict (tenant_id, day) do update
     set turns = d.turns + excluded.turns, input_tokens = d.input_tokens + excluded.input_tokens,
         output_tokens = d.output_tokens + excluded.output_tokens, cost_usd = d.cost_usd + excluded.cost_usd,
         executed = d.executed + excluded.executed;
  insert into provider_day_changes (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
  select p.tenant_id, on_day, more_turns, more_input, more_output, more_cost, more_executed
    from tenants p where p.tenant_id = of_provider and p.deleted_at is null for key share skip locked;
end $$;

create function count_executed() returns trigger language plpgsql as $$
declare
  of_provider integer;
begin
  select t.provider_tenant_id into of_provider from tenants t where t.tenant_id = new.tenant_id;
  if of_provider is not null then
    perform count_business_day(new.tenant_id, of_provider, (new.occurred_at at time zone 'UTC')::date, 0, 0, 0, 0, 1);
  end if;
  return null;
end $$;
create trigger executed_counted after insert on audit_events for each row when (new.event = 'executed')
  execute function count_executed();

create function count_usage() returns trigger language plpgsql as $$
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
create trigger usage_counted after insert on usage_rows referencing new table as changed
  for each statement execute function count_usage();

create function count_turns() returns trigger language plpgsql as $$
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
create trigger turns_counted after insert on turn_records referencing new table as changed
  for each statement execute function count_turns();

-- A business that moves to another provider takes its usage along. It is summed from the daily counts, because the trail may be
-- archived and old turns deleted. The mover holds the tenant's row for update, so that no ledger row is in flight. Locking the head of
-- the trail here does the same for executions.
create function move_business() returns trigger language plpgsql as $$
begin
  perform 1 from audit_heads h where h.tenant_id = new.tenant_id for update;
  if old.provider_tenant_id is null then
    insert into business_days (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
    select new.tenant_id, day, sum(turns), sum(input), sum(output), sum(cost), sum(executed)
      from (select day, 0 as turns, input_tokens as input, output_tokens as output, cost_usd as cost, 0 as executed
              from model_days where tenant_id = new.tenant_id
            union all
            select day, turns, 0, 0, 0, 0 from turn_days where tenant_id = new.tenant_id
            union all
            select day, 0, 0, 0, 0, count from event_days where tenant_id = new.tenant_id and event = 'executed'
            union all
            select day, 0, 0, 0, 0, (counts ->> 'executed')::bigint from audit_heads
             where tenant_id = new.tenant_id and counts ? 'executed') as used
     group by day;
  end if;
  insert into provider_day_changes (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
  select p.tenant_id, d.day, p.sign * d.turns, p.sign * d.input_tokens, p.sign * d.output_tokens, p.sign * d.cost_usd,
         p.sign * d.executed
    from (select tenant_id, case tenant_id when old.provider_tenant_id then -1 else 1 end as sign
            from tenants where tenant_id in (old.provider_tenant_id, new.provider_tenant_id) and deleted_at is null
             for key share skip locked) p
   cross join business_days d
   where d.tenant_id = new.tenant_id;
  if new.provider_tenant_id is null then
    delete from business_days where tenant_id = new.tenant_id;
  end if;
  return null;
end $$;
create trigger business_moved after update of provider_tenant_id on tenants for each row
  when (old.provider_tenant_id is distinct from new.provider_tenant_id) execute function move_business();

-- A push of configuration to businesses: what the provider requested, and the result for each business.
create table configuration_pushes (
  -- The provider.
  tenant_id integer not null,
  push_id text not null,
  -- The order of the requests: a later push wins.
  number bigint generated always as identity,
  -- The parts at the time of the request, as JSON. Null once nothing is left to do.
  content text,
  total integer not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (tenant_id, push_id)
);
create index configuration_pushes_to_forget on configuration_pushes (finished_at) where finished_at is not null;

create table configuration_push_items (
  tenant_id integer not null,
  push_id text not null,
  business_id integer not null,
  part text not null check (part in ('catalog', 'domain_pack', 'events_webhook', 'origins', 'policy')),
  -- The number of its push.
  number bigint not null,
  status text check (status in ('applied', 'unchanged', 'refused')),
  error text,
  tries integer not null default 0,
  primary key (tenant_id, push_id, business_id, part)
);
create index configuration_push_items_due on configuration_push_items (number, tenant_id, business_id) where status is null;
-- Finds out whether a later push overtook this one.
create index configuration_push_items_newest on configuration_push_items (tenant_id, business_id, part, number);
