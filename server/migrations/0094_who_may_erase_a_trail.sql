-- Until now whoever could write rows and knew how an erasure announces itself could take single events out of a trail. Now a trail goes
-- only when its tenant is gone, and the role of the service can bring no tenant back (deploy/database-roles.sh). A sandbox has no trail
-- that anybody owns.

-- What guards the trail asks the tables themselves, whatever temporary ones a session puts before them. The function below runs with every
-- event, and a path of its own would make that a tenth dearer, so it names their schema.
create or replace function append_audit() returns trigger language plpgsql as $$
declare
  head public.audit_heads;
begin
  select * into head from public.audit_heads where tenant_id = new.tenant_id for update;
  if not found then
    insert into public.audit_heads (tenant_id, last_id, last_at, last_hash) values (new.tenant_id, 0, '-infinity', repeat('0', 64))
      on conflict (tenant_id) do nothing;
    select * into head from public.audit_heads where tenant_id = new.tenant_id for update;
  end if;
  new.id := head.last_id + 1;
  new.occurred_at := greatest(head.last_at, date_trunc('milliseconds', clock_timestamp()));
  new.hash := encode(sha256(convert_to(json_build_array(
    head.last_hash, new.tenant_id, new.id, audit_instant(new.occurred_at), new.action_id, new.tool, new.event, new.user_id,
    new.source, new.payload_hash, new.subject, new.scope_id, new.reason)::text, 'UTF8')), 'hex');
  if head.day is distinct from (new.occurred_at at time zone 'UTC')::date then
    insert into public.event_days as d (tenant_id, day, event, count)
    select new.tenant_id, head.day, c.key, c.value::integer from jsonb_each_text(head.counts) c
    on conflict (tenant_id, day, event) do update set count = d.count + excluded.count;
    head.day := (new.occurred_at at time zone 'UTC')::date;
    head.counts := '{}';
  end if;
  update public.audit_heads
     set last_id = new.id, last_at = new.occurred_at, last_hash = new.hash, day = head.day,
         counts = jsonb_set(head.counts, array[new.event], to_jsonb(coalesce((head.counts ->> new.event)::integer, 0) + 1))
   where tenant_id = new.tenant_id;
  return new;
end $$;
alter function append_archive() set search_path = public, pg_temp;
alter function owns_trail(oid) set search_path = pg_catalog, pg_temp;

-- No function stands between, and no setting of its own: these are asked for each row of an erasure, and either would cost ten times as much.
create or replace function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('tether.erasing_tenant', true) = old.tenant_id::text
       and not exists (select from public.tenants t where t.tenant_id = old.tenant_id and t.deleted_at is null and not t.sandbox) then
      return old;
    end if;
  end if;
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;

create or replace function keep_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('tether.erasing_tenant', true) = old.tenant_id::text
       and not exists (select from public.tenants t where t.tenant_id = old.tenant_id and t.deleted_at is null and not t.sandbox) then
      return old;
    end if;
    if current_setting('tether.archiving_tenant', true) = old.tenant_id::text and public.owns_trail(tg_relid)
       and old.id <= (select a.last_id from public.audit_archives a where a.tenant_id = old.tenant_id order by a.first_id desc limit 1) then
      return old;
    end if;
  end if;
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;

-- The row of a tenant says whether its trail may go, so it changes in one direction. Whoever owns the table may do otherwise.
create function keep_tombstone() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if owns_trail(tg_relid) then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception 'a tenant neither comes back nor changes its id' using errcode = 'insufficient_privilege';
end $$;
create trigger tombstone_kept before update on tenants for each row
  when (new.tenant_id <> old.tenant_id or new.sandbox and not old.sandbox or old.deleted_at is not null and new.deleted_at is null)
  execute function keep_tombstone();
create trigger tombstone_stays before delete on tenants for each row when (not old.sandbox) execute function keep_tombstone();
