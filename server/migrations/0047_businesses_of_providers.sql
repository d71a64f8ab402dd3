-- `keys` before `tenants`, as every request of the build before reads them: in the other order the two would wait for each other.
-- A key whose provider lost its authority: it is revoked, and still known, so that its holder is told why.
alter table keys add column withdrawn boolean not null default false;
-- Until now such a key was only revoked, as one was that a newer grant replaced. Where no authority is left, all of them are.
update keys k set withdrawn = true
  from tenants t
 where t.tenant_id = k.tenant_id and k.kind = 'provider' and k.revoked_at is not null and not t.provider and t.deleted_at is null;

-- Providers and the businesses that they create: a page of them is read in the order of their ids.
drop index tenants_by_provider;
create index tenants_by_provider on tenants (provider_tenant_id, tenant_id) where provider_tenant_id is not null;

-- A provider's server sends the session of a person of any of its businesses.
create index user_sessions_by_hash on user_sessions (hash);
-- Somebody asked with the key of a provider: for its businesses, or for the one that `of_tenant` names.
alter table sign_in_requests add column of_provider integer;

-- What the businesses of providers used, by UTC day. A tenant that no provider created has no rows.
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
-- The same of all businesses of a provider together, whose id is `tenant_id`. What came since is in `provider_day_changes`, one
-- row for each change, so that no two businesses wait for each other; regular work adds them up.
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

-- The database counts, so that no statement can use something without being noticed. A provider that is being deleted is passed
-- over, and nothing that its businesses do waits for the deletion.
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
begin
  perform count_business_day(c.tenant_id, t.provider_tenant_id, c.day, 0, c.input, c.output, c.cost, 0)
     from (select tenant_id, (at at time zone 'UTC')::date as day, sum(input_tokens) as input, sum(output_tokens) as output,
                  sum(cost_usd) as cost
             from changed group by 1, 2 order by 1, 2) c
     join tenants t on t.tenant_id = c.tenant_id and t.provider_tenant_id is not null;
  return null;
end $$;
create trigger usage_counted after insert on usage_rows referencing new table as changed
  for each statement execute function count_usage();

create function count_turns() returns trigger language plpgsql as $$
begin
  perform count_business_day(c.tenant_id, t.provider_tenant_id, c.day, c.turns, 0, 0, 0, 0)
     from (select tenant_id, (at at time zone 'UTC')::date as day, count(*) as turns from changed group by 1, 2 order by 1, 2) c
     join tenants t on t.tenant_id = c.tenant_id and t.provider_tenant_id is not null;
  return null;
end $$;
create trigger turns_counted after insert on turn_records referencing new table as changed
  for each statement execute function count_turns();

-- A business that moves takes what it used along. Whoever moves it holds its row for update, so that no row of its ledger is on its
-- way; the head of its trail is held here, so that no execution is, either.
create function move_business() returns trigger language plpgsql as $$
begin
  perform 1 from audit_heads h where h.tenant_id = new.tenant_id for update;
  if old.provider_tenant_id is null then
    insert into business_days (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
    select new.tenant_id, day, sum(turns), sum(input), sum(output), sum(cost), sum(executed)
      from (select (at at time zone 'UTC')::date as day, 0 as turns, input_tokens as input, output_tokens as output,
                   cost_usd as cost, 0 as executed
              from usage_rows where tenant_id = new.tenant_id
            union all
            select (at at time zone 'UTC')::date, 1, 0, 0, 0, 0 from turn_records where tenant_id = new.tenant_id
            union all
            select (occurred_at at time zone 'UTC')::date, 0, 0, 0, 0, 1 from audit_events
             where tenant_id = new.tenant_id and event = 'executed') as used
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
