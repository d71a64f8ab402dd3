-- Months of the trail that have left the table for files (`npm run audit:archive`): which events of a tenant a file holds, and the hashes
-- between which they stand, so that what is left is checked against the last of them and not called broken.
create table audit_archives (
  tenant_id integer not null,
  first_id bigint not null,
  last_id bigint not null,
  month date not null,
  -- Of the event before the first one.
  previous_hash text not null,
  last_hash text not null,
  last_at timestamptz not null,
  -- Below the folder of the archive.
  file text not null,
  file_sha256 text not null,
  archived_at timestamptz not null,
  primary key (tenant_id, first_id),
  check (last_id >= first_id)
);

-- Whoever owns the trail. The role that serves does not, where the two are separate (deploy/database-roles.sh).
create function owns_trail(trail oid) returns boolean language sql stable as $$
  select pg_has_role(current_user, relowner, 'usage') from pg_class where oid = trail
$$;

-- An archive follows the one before it, ends with an event that stands in the table, and is never changed. Only the owner adds one.
create function append_archive() returns trigger language plpgsql as $$
declare
  before_it record;
begin
  if not owns_trail(tg_relid) then
    raise exception 'only the owner of the trail archives it' using errcode = 'insufficient_privilege';
  end if;
  select a.last_id, a.last_hash into before_it from audit_archives a
   where a.tenant_id = new.tenant_id order by a.first_id desc limit 1;
  if new.first_id <> coalesce(before_it.last_id, 0) + 1 or new.previous_hash <> coalesce(before_it.last_hash, repeat('0', 64)) then
    raise exception 'an archive follows the one before it' using errcode = 'check_violation';
  end if;
  if not exists (select from audit_events e where e.tenant_id = new.tenant_id and e.id = new.last_id and e.hash = new.last_hash) then
    raise exception 'an archive ends with an event of the trail' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger archive_append before insert on audit_archives for each row execute function append_archive();
-- Like the head, it goes with its tenant.
create trigger archive_keep before update or delete on audit_archives for each row execute function keep_audit();
create trigger archive_keep_whole before truncate on audit_archives for each statement execute function keep_audit_whole();
revoke update, truncate on audit_archives from public, current_user;

-- Two ways lead out of the trail: its tenant is erased, or its owner, who says so, takes out what a file holds by then.
create function keep_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('tether.erasing_tenant', true) = old.tenant_id::text then
      return old;
    end if;
    if current_setting('tether.archiving_tenant', true) = old.tenant_id::text and owns_trail(tg_relid)
       and old.id <= (select a.last_id from audit_archives a where a.tenant_id = old.tenant_id order by a.first_id desc limit 1) then
      return old;
    end if;
  end if;
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;
create or replace trigger audit_keep before update or delete on audit_events for each row execute function keep_audit_events();

-- A business that moves takes along what was counted by day: its trail may be in files by then, and its turns and rounds forgotten.
create or replace function move_business() returns trigger language plpgsql as $$
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
